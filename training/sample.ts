// The texts of test/fixtures/light-sample.jsonl, as JSON: the project's own pages, sentences of every language, and odd
// ones: node training/sample.ts | python3 training/expect.py --model … --light models/light/light.bin --coordinates 8
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { oddTexts } from "../test/fixtures/odd-texts.ts";

const ROOT = join(import.meta.dirname, "..");

const SENTENCES = [
  "画面が表示されない場合、どのように対処すればよいですか？",
  "パスワードを忘れたので、再発行の手続きを教えてください。",
  "PostgreSQLのshared_buffersを128MBに変更し、サーバーを再起動します。",
  "ｻｰﾊﾞｰの①番ポートが閉じている（㈱テスト、２０２４年）。",
  "申し込みをキャンセルしたいのですが、どうしたら良いでしょうか。らーめん、スーパーー、ゞ々〆。",
  "如何更改文件系统的权限？请使用 chmod 命令。",
  "内存不足时，系统会终止进程。繁體中文也可以。",
  "비밀번호를 잊어버렸을 때 어떻게 해야 하나요?",
  "데이터베이스에 연결할 수 없습니다. 설정을 확인하십시오.",
  "Wie ändere ich die Größe der Auslagerungsdatei auf der Festplatte?",
  "Straßenbahnhaltestellenverzeichnis und Überweisungsträger",
  "Comment réinitialiser le mot de passe d'un utilisateur ? C'est très simple.",
  "¿Cómo se instala un paquete desde el repositorio? El año pasado cambió.",
  "Não é possível abrir o ficheiro porque a permissão foi negada.",
  "Perché il servizio non si avvia dopo l'aggiornamento del sistema?",
  "Hoe kan ik de instellingen van mijn geïnstalleerde programma's wijzigen?",
  "Не удалось подключиться к серверу: неверный пароль. Ещё раз, Йошкар-Ола.",
  "Ο κωδικός πρόσβασης ΔΕΝ ΕΊΝΑΙ ΣΩΣΤΌΣ",
  "كيف أغير كلمة المرور؟ שלום עולם, ไทย हिन्दी",
  "I forgot my password; what's the quickest way to reset it in v3.11.2?",
  'if (x >= y && !z) { openEmbed("a\\tb"); } // C++, C#, .NET, foo_bar-baz, camelCaseName',
  "https://example.com/a/b?c=d&e=%20f#g user@example.com /etc/fstab C:\\Windows",
  "naïve café, ﬁne ligatures, Å, ½, x², ℃, ㎏, ﷺ, İstanbul, ǅ",
  "zero\u200bwidth, soft\u00adhyphen, no-break\u00a0space, \u0000control\u0007s, \ufffd, 👩‍👩‍👧 emoji",
  "が\u3099か\u3099ﾊﾟ e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301 각",
  "𠮷野家で𩸽を食べる 𝒜𝓁𝓅𝒽𝒶 𝟙𝟚𝟛",
  "a".repeat(300),
  "ア".repeat(100) + "ー".repeat(100),
  "のののの".repeat(40),
  "漢".repeat(120),
  `\u05d0${"\u05b0\u05ab".repeat(20)}`,
  "",
  " \n\t",
  "。、！？",
];

function pages(count: number): readonly string[] {
  const files = ["README.md", "README.ja.md", ...readdirSync(join(ROOT, "docs"))];
  const lines = files
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => {
      const folder = name.startsWith("README") ? ROOT : join(ROOT, "docs");
      return readFileSync(join(folder, name), "utf8").split("\n");
    })
    .filter((line) => line.length > 40);
  const japanese = lines.filter((line) => /[\u3040-\u30ff]/.test(line));
  const english = lines.filter((line) => !japanese.includes(line));
  const step = english.length / (count - Math.min(japanese.length, count / 2));
  const spread = english.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  return [...japanese.slice(0, count / 2), ...spread];
}

process.stdout.write(JSON.stringify([...SENTENCES, ...pages(200), ...oddTexts(150)]));
