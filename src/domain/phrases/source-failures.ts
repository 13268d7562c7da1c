// Why an item of a source, or a source as a whole, was not read: pages, repositories, buckets, archives, exports.

const cannotFetch = <What extends string>(what: What) =>
  `The page cannot be fetched. ${what} Check the address, or try again later.` as const;
const cannotRead = <What extends string>(what: What) =>
  `The repository cannot be read: ${what}.` as const;
const damaged = <What extends string>(what: What) =>
  `The export is damaged: ${what}. Export it again.` as const;
const s3Away = <What extends string>(what: What) => `S3 is unavailable: ${what}.` as const;

export const SOURCE_FAILURES = {
  tooManyItems:
    "It has more than {0} items; the rest was left out. Narrow it with --include or --prefix, or raise --max-items.",
  sourceEmpty:
    "The source looks empty; its {0} documents are kept. If that is right, remove the source and its documents.",
  sourceBusy: "The source was removed, or another task is syncing it.",
  nameTooLong: "Its name is too long.",
  fileTooLarge: "The file exceeds the maximum allowed size ({0} MB)",
  forPeopleOnly:
    "Only a person at the server's machine can add this address, with `knowledge-server sources add` or in the settings file.",
  sourceOfPerson:
    "A person at the server's machine added this source and chose what is read of it. Only they can change that, with `knowledge-server sources add` or in the settings file.",

  webOff:
    "Fetching web pages is off on this server. Start it with --allow-urls, or save the page as a file and add that.",
  pageNotSent: "The site did not send the page. Try again later.",
  pageMissing: "The page does not exist (status {0}).",
  pageClosed: "The page is not public (status {0}).",
  pageTooLarge: "The page exceeds the maximum allowed size ({0} MB)",
  pageForbidden: "The site's robots.txt asks programs not to fetch this page.",
  pageInsecure: "The page redirects from https to http, which is not allowed.",
  pagePrivate:
    "The address leads to a private network or to this machine; only public pages can be fetched.",
  pageRedirects: cannotFetch("It redirects more than {0} times."),
  pageRedirectInvalid: cannotFetch("It redirects to an invalid address."),
  pageStatus: cannotFetch("The site responded with status {0}."),
  pageRobotsStatus: cannotFetch("Its robots.txt returned status {0}."),
  pageEncoding: cannotFetch("Its content encoding is not supported."),
  pageLost: cannotFetch("The connection was lost."),
  pageSlow: cannotFetch("It took too long."),
  pageOtherName: cannotFetch("The site's certificate is for another host name."),
  pageUntrusted: cannotFetch(
    "The site's certificate is not trusted: it has expired, or this server does not know its CA (NODE_EXTRA_CA_CERTS names your own).",
  ),
  pageNotHttp: cannotFetch("The site did not send a valid HTTP response."),
  pageNoHost: cannotFetch("The host name cannot be resolved."),
  siteFailing: "The site failed {0} times in a row, so the rest waits for the next sync.",

  gitMissing: "This needs the program git, which is not installed.",
  gitFailed: cannotRead("git failed. Check its address and ref"),
  gitNoRef: cannotRead("it has no such branch, tag or commit"),
  gitDenied: cannotRead("access was denied"),
  gitProtocol: cannotRead("its protocol is not allowed"),
  gitNotThere: cannotRead("there is none at this address"),
  gitAway: cannotRead("its server does not respond"),
  gitTooLarge:
    "The repository was not copied: it takes more than 4 GB, or more than half of the free disk.",
  gitTooLong: "The repository lists more files than can be read. Narrow it with --include.",
  gitRefName: "The ref is not the name of a branch, tag or commit.",

  s3NoCredentials:
    "This server has no AWS credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with AWS_PROFILE.",
  s3NoBucket: "S3 has no such bucket.",
  s3NoObject: "S3 has no such object.",
  s3Denied:
    "S3 refused the request ({0}). Check this server's credentials and the bucket's policy.",
  s3Responded: s3Away("it responded with {0}"),
  s3Lost: s3Away("the connection was lost"),
  s3Silent: s3Away("it did not respond as it should"),
  s3ListInvalid: s3Away("its list cannot be read"),
  s3NoEnd: s3Away("its list does not end"),
  s3Removed: "It was removed from the bucket meanwhile.",

  archiveName:
    "Its name points outside the archive, or contains characters that file names must not have. Rename it and create the archive again.",
  archiveLink: "It is a link, not a file. Put the file itself into the archive.",
  archiveNested: "It is an archive inside an archive. Unpack it, then add its folder.",
  archiveTwice:
    "The archive has another file with this name. Rename one and create the archive again.",

  exportUnknown:
    "This is no export that is known here: of Slack, Notion, Confluence (HTML), ChatGPT, Claude, Obsidian, or mail in mbox files. Add other files with 'knowledge-server add'.",
  exportCutOff: damaged("it is cut off"),
  exportTooLarge: "The archive has more files, or inflates to far more, than can be read.",
  exportBrackets: damaged("its brackets do not match"),
  exportNotJson: damaged("one of its entries is not JSON"),
  exportEntry: "One of its entries is too large.",
  exportChannel: "A channel of the export is too large.",
  exportOutside: "It is outside the folder of the export.",

  folderUnreadable:
    "This file or folder cannot be read. Check its permissions, then add the folder again.",
  folderDeep: "This folder is more than {0} folders deep, so it is left out. Move it up.",
  rulesAreFolder: "This ignore file is not used: it is a folder.",
  rulesAreLink: "This ignore file is not used: it is a link.",
  rulesAreSpecial: "This ignore file is not used: it is not a regular file.",
  rulesTooLarge: "This ignore file is not used: it is larger than {0} KB.",
  rulesUnreadable: "This ignore file is not used: it cannot be read.",
  rulesLeftOut:
    "{0} of the folder's ignore rules are not used: a rule has at most {1} characters, and all rules for a file at most {2}.",
} as const;
