// One small file of each format beyond the contract's eight and the four text formats.

import { readFileSync } from "node:fs";
import type { Format, Place } from "../../src/domain/document.ts";
import { makeMsg, makePpt } from "./files/compound.ts";
import { makeEpub, makeOdf } from "./files/odf.ts";

export interface MoreSample {
  readonly format: Format;
  readonly content: string | Buffer;
  readonly finds: readonly (string | readonly [string, Place])[];
}

const MAIL = `From: =?utf-8?B?5bGx55Sw?= <yamada@example.com>
To: team@example.com
Subject: Harvest plan
Date: Mon, 02 Mar 2026 09:00:00 +0900
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

The grapes are ripe in caf=C3=A9 yard.
--b
Content-Type: text/csv; name="rows.csv"
Content-Disposition: attachment; filename="rows.csv"
Content-Transfer-Encoding: base64

${Buffer.from("row,baskets\nnorth,12\n").toString("base64")}
--b--
`;

const NOTEBOOK = JSON.stringify({
  nbformat: 4,
  cells: [
    { cell_type: "markdown", source: ["# Tides\n", "High water comes late."] },
    {
      cell_type: "code",
      source: "print(3 * 14)",
      outputs: [{ output_type: "stream", text: ["42\n"] }],
    },
  ],
});

export function moreSamples(): readonly MoreSample[] {
  return [...officeSamples(), ...binarySamples(), ...textSamples()];
}

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/office/${name}`, import.meta.url));

function binarySamples(): readonly MoreSample[] {
  return [
    {
      format: "doc",
      content: fixture("lighthouse.doc"),
      finds: [
        "# The lighthouse",
        "see the rules.",
        "| Adult | 12.50 |",
        "灯台は夕方に灯をともす。",
      ],
    },
    {
      format: "xls",
      content: fixture("stock.xls"),
      finds: ["| Lamp oil | 12 | 3.5 | 2026-03-01 |", "灯心"],
    },
    {
      format: "ppt",
      content: makePpt([
        { title: "Our plan", text: "Sail at dawn\r港を出る" },
        { title: "After that", text: "Return by dusk" },
      ]),
      finds: [
        ["## Our plan", { slide: 1 }],
        ["港を出る", { slide: 1 }],
        ["Return by dusk", { slide: 2 }],
      ],
    },
    {
      format: "msg",
      content: makeMsg(
        { "0037001F": "Harvest plan", "0C1A001F": "山田", "1000001F": "The grapes are ripe." },
        [{ "3707001F": "rows.csv", "37010102": Buffer.from("row,baskets\nnorth,12\n") }],
      ),
      finds: ["# Harvest plan", "From: 山田", "Date: 2026-03-02", "ripe.", "| north | 12 |"],
    },
    {
      format: "fb2",
      content:
        '<?xml version="1.0"?><FictionBook><description><title-info><book-title>The lamp</book-title></title-info></description><body><section><title><p>One</p></title><p>The lamp was <emphasis>lit</emphasis>.</p></section></body><binary id="c">AAAA</binary></FictionBook>',
      finds: ["# One", "The lamp was lit."],
    },
  ];
}

function officeSamples(): readonly MoreSample[] {
  return [
    {
      format: "epub",
      content: makeEpub("The lamp", [
        "<h1>One</h1><p>The lamp was lit.</p>",
        "<p>It went out.</p>",
      ]),
      finds: ["# One", "The lamp was lit", "It went out"],
    },
    {
      format: "odt",
      content: makeOdf(
        "text",
        '<text:h text:outline-level="1">Orchard</text:h><text:p>Pears<text:s text:c="1"/>ripen in autumn.</text:p><text:list><text:list-item><text:p>Prune early</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>Tree</text:p></table:table-cell><table:table-cell><text:p>Age</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Pear</text:p></table:table-cell><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table>',
      ),
      finds: ["# Orchard", "Pears ripen in autumn", "- Prune early", "| Pear | 12 |"],
    },
    {
      format: "ods",
      content: makeOdf(
        "spreadsheet",
        '<table:table table:name="Stock"><table:table-row><table:table-cell><text:p>Item</text:p></table:table-cell><table:table-cell><text:p>Count</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Rope</text:p></table:table-cell><table:table-cell office:value-type="float"><text:p>7</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>',
      ),
      finds: [["| Rope | 7 |", { sheet: "Stock" }]],
    },
    {
      format: "odp",
      content: makeOdf(
        "presentation",
        '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Our plan</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>Sail at dawn</text:p></draw:text-box></draw:frame></draw:page><draw:page><draw:frame><draw:text-box><text:p>Return by dusk</text:p></draw:text-box></draw:frame></draw:page>',
      ),
      finds: [
        ["Sail at dawn", { slide: 1 }],
        ["Return by dusk", { slide: 2 }],
      ],
    },
  ];
}

function textSamples(): readonly MoreSample[] {
  return [
    {
      format: "rtf",
      content:
        "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\info{\\title Ferry}}\\pard The ferry leaves at six, caf\\'e9 open.\\par\\uc1 \\u28207?\\u12398? boat\\par\\trowd Pier\\cell Time\\cell\\row North\\cell 6:00\\cell\\row}",
      finds: ["The ferry leaves at six, café open", "港の boat", "| North | 6:00 |"],
    },
    {
      format: "eml",
      content: MAIL,
      finds: ["# Harvest plan", "山田", "ripe in café yard", "| north | 12 |"],
    },
    { format: "ipynb", content: NOTEBOOK, finds: ["# Tides", "print(3 * 14)", "42"] },
    {
      format: "xml",
      content:
        '<?xml version="1.0"?><catalogue><book id="b1"><title>Sea charts</title><price currency="EUR">12.50</price><summary>Charts of the <em>northern</em> coast for small boats.</summary></book></catalogue>',
      finds: ["Sea charts", "price currency=EUR: 12.50", "northern coast for small boats"],
    },
    {
      format: "yaml",
      content:
        "# Where it runs\nserver:\n  host: localhost\n  port: 8080\nlog:\n  level: info\n  file: out\n",
      finds: ["## server", "port: 8080"],
    },
    {
      format: "toml",
      content: '[package]\nname = "boat"\nversion = "1"\n\n[engine]\npower = 40\n',
      finds: ["## package", "power = 40"],
    },
    {
      format: "log",
      content: "09:00 INFO start\n09:01 WARN slow disk\n",
      finds: ["WARN slow disk"],
    },
    {
      format: "code",
      content:
        "import os\n\n\n# Opens the hatch.\ndef open_hatch(door):\n    door.unlock()\n    return door\n\n\nclass Boat:\n    def sail(self):\n        pass\n",
      finds: ["def open_hatch", "class Boat", "door.unlock()"],
    },
  ];
}
