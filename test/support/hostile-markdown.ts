// Markdown that tries to run script, to fetch from elsewhere, or to take the place of the page's own elements. Each
// calls `pwned()` if it succeeds, or names evil.example.

const FETCHES = [
  "![picture](https://evil.example/a.png)",
  '<img src="https://evil.example/b.png">',
  '<picture><source srcset="https://evil.example/c.png"><img></picture>',
  '<video src="https://evil.example/d.mp4" autoplay poster="https://evil.example/e.png"></video>',
  '<audio src="https://evil.example/f.mp3" autoplay></audio>',
  '<iframe src="https://evil.example/g"></iframe>',
  '<object data="https://evil.example/h"></object><embed src="https://evil.example/i">',
  '<link rel="stylesheet" href="https://evil.example/j.css">',
  '<style>@import "https://evil.example/k.css"; body { display: none }</style>',
  '<div style="background: url(https://evil.example/l.png)">styled</div>',
  '<body background="https://evil.example/m.png">',
  '<table background="https://evil.example/n.png"><tr><td>cell</td></tr></table>',
  '<meta http-equiv="refresh" content="0; url=https://evil.example/o">',
  '<base href="https://evil.example/">',
  '<svg><image href="https://evil.example/p.png"/><use href="https://evil.example/q.svg#x"/></svg>',
  '<form action="https://evil.example/r"><button>send</button></form>',
];

const SCRIPTS = [
  "<script>pwned()</script>",
  "<scr<script>ipt>pwned()</scr</script>ipt>",
  '<img src=x onerror="pwned()">',
  "<img src=x onerror=pwned()//",
  "<svg onload=pwned()>",
  "<svg><script>pwned()</script></svg>",
  "<svg><animate onbegin=pwned() attributeName=x dur=1s>",
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=pwned()&gt;">',
  '<math><mi//xlink:href="data:x,<script>pwned()</script>">',
  '<noscript><p title="</noscript><img src=x onerror=pwned()>">',
  '<details open ontoggle="pwned()"><summary>more</summary>text</details>',
  '<input autofocus onfocus="pwned()"><select autofocus onfocus="pwned()">',
  '<textarea autofocus onfocus="pwned()">x</textarea>',
  '<a href="javascript:pwned()">a</a> <a href="JaVaScRiPt:pwned()">b</a>',
  '<a href="&#106;avascript:pwned()">c</a> <a href="java\tscript:pwned()">d</a>',
  '<a href="data:text/html,<script>pwned()</script>">e</a> <a href="vbscript:pwned()">f</a>',
  "[g](javascript:pwned()) [h](JAVASCRIPT:pwned()) [i](<javascript:pwned()>)",
  "[j](data:text/html;base64,PHNjcmlwdD5wd25lZCgpPC9zY3JpcHQ+) [k](&#x6a;avascript:pwned())",
  "[l]: javascript:pwned()\n\n[l] <javascript:pwned()>",
  '[m](https://x.example/" onmouseover="pwned())',
  '![n](x" onerror="pwned())',
  '```"><img src=x onerror=pwned()>\ncode\n```',
  "`<img src=x onerror=pwned()>`",
  "| <img src=x onerror=pwned()> |\n| --- |\n| <script>pwned()</script> |",
  '<p title="<!--"><img src=x onerror=pwned()>-->">',
  "<!--><img src=x onerror=pwned()>-->",
  "<template><img src=x onerror=pwned()></template>",
  '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
  "<xss onpointerrawupdate=pwned() style=position:fixed;inset:0>hover</xss>",
  "<marquee onstart=pwned()>text</marquee>",
  "&lt;img src=x onerror=pwned()&gt;",
  "<?xml version='1.0'?><![CDATA[<img src=x onerror=pwned()>]]>",
];

const IMPOSTORS = [
  '<div id="content">content</div><div id="console">console</div>',
  '<form name="body"><input name="cookie"></form><img name="getElementById">',
  '<div class="skip">skip</div><dialog open>dialog</dialog>',
  '<div role="alert" aria-live="assertive">alert</div>',
];

export const HOSTILE_MARKDOWN = [...FETCHES, ...SCRIPTS, ...IMPOSTORS];
