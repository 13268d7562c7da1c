#!/usr/bin/env bash
# Fetches the Debian packages that hold translated manuals, and the translated package descriptions, into a folder:
# debian_packages.sh DIR [PACKAGE …] (needs `apt-get update` first; with names, these packages alone: for a trial).
# Never debian-reference: it is the development set.
set -eu
mkdir -p "$1/debs" "$1/root" "$1/descriptions"
cd "$1/debs"
shift

names=("$@")
if [ $# = 0 ]; then
  known=$(apt-cache pkgnames)
  names=(debian-handbook debian-history debmake-doc gnome-user-docs gnucash-docs installation-guide-amd64
    libreoffice-help-en-us live-manual-html weechat-doc aptitude-doc-en gimp-help-en kicad-doc-en)
  for language in ja zh zh-cn ko de fr es pt pt-br it nl ru; do
    for manual in aptitude-doc gimp-help kicad-doc libreoffice-help; do
      if grep -qx "$manual-$language" <<<"$known"; then names+=("$manual-$language"); fi
    done
  done
fi
apt-get download "${names[@]}"
for deb in *.deb; do dpkg -x "$deb" ../root; done

site=$(apt-get indextargets --format '$(REPO_URI)dists/$(RELEASE)/$(COMPONENT)/i18n' "Created-By: Packages" "Origin: Debian" "Component: main" | head -1)
/usr/lib/apt/apt-helper download-file "$site/Translation-en.xz" ../descriptions/en.xz
for language in ja zh_CN ko de fr es pt pt_BR it nl ru; do
  /usr/lib/apt/apt-helper download-file "$site/Translation-$language.bz2" "../descriptions/$language.bz2"
done
