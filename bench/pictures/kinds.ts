// Pictures of the kinds that people add, as HTML. What is marked with class "t" is what OCR is to read.
import type { Pick } from "./words.ts";

export interface Drawn {
  readonly html: string;
  readonly width: number;
  /** How the shot is spoilt, like a photograph or a bad scan. */
  readonly spoil?: Spoil;
}

export interface Spoil {
  readonly degrees?: number;
  /** A CSS transform with perspective. */
  readonly perspective?: string;
  /** A CSS filter. */
  readonly filter?: string;
  /** 0 to 1: the grain laid over it. */
  readonly grain?: number;
  /** A gradient of shadow laid over it. */
  readonly shade?: boolean;
  readonly quality?: number;
}

type Kind = (pick: Pick) => Drawn;

const t = (text: string, style = "", tag = "div") =>
  `<${tag} class="t" style="${style}">${text}</${tag}>`;
const LATIN = [
  "Liberation Sans",
  "DejaVu Sans",
  "Liberation Serif",
  "DejaVu Serif",
  "Noto Sans CJK JP",
];
const GOTHIC = ["Noto Sans CJK JP", "IPAPGothic"];
const MINCHO = ["Noto Serif CJK JP", "IPAMincho", "Noto Sans CJK JP"];

function page(body: string, style: string): string {
  return `<style>*{box-sizing:border-box}body{margin:0;${style}}</style>${body}`;
}

const darkApp: Kind = (pick) => {
  const [back, side, ink, dim] = pick.one([
    ["#1e1e1e", "#252526", "#d4d4d4", "#858585"],
    ["#0d1117", "#161b22", "#e6edf3", "#8b949e"],
    ["#282c34", "#21252b", "#abb2bf", "#7f848e"],
    ["#002b36", "#073642", "#93a1a1", "#839496"],
  ]);
  const menu = pick.labels(6).map((label) => t(label, `padding:5px 12px;color:${dim}`));
  const rows = pick
    .labels(5)
    .map(
      (label) =>
        `<div style="display:flex;justify-content:space-between;padding:7px 0;border-bottom:1px solid ${side}">${t(label)}${t(pick.price(), "color:#4ec9b0")}</div>`,
    );
  const button = t(
    pick.one(["Save changes", "Deploy now", "Add member"]),
    "display:inline-block;background:#0e639c;color:#fff;padding:6px 14px;border-radius:4px;margin-top:14px",
  );
  const text = pick.sentences(2).map((sentence) => t(sentence, `color:${dim};margin:8px 0`));
  return {
    width: 900,
    html: page(
      `<div style="display:flex"><div style="width:200px;background:${side};padding:14px 0">${menu.join("")}</div><div style="flex:1;padding:22px">${t("Project settings", "font-size:22px;margin-bottom:10px")}${text.join("")}${rows.join("")}${button}</div></div>`,
      `background:${back};color:${ink};font:13px ${pick.one(LATIN)}`,
    ),
  };
};

const COLOURS = ["#1f77b4", "#0b5394", "#38761d", "#cc0000", "#674ea7", "#e69138", "#134f5c"];

function diagram(pick: Pick, labels: readonly string[], font: string, width: number): Drawn {
  const boxes = labels.map((label, at) => {
    const x = (at % 3) * (width / 3) + 20;
    const y = Math.floor(at / 3) * 130 + 70;
    const round = pick.one(["0", "6px", "20px"]);
    return `<div style="position:absolute;left:${x}px;top:${y}px;width:${width / 3 - 60}px;height:70px;background:${pick.one(COLOURS)};border-radius:${round};display:flex;align-items:center;justify-content:center;color:#fff;font-weight:${pick.one([400, 700])}">${t(label)}</div><div style="position:absolute;left:${x + width / 3 - 60}px;top:${y + 34}px;width:40px;height:2px;background:#444"></div>`;
  });
  const height = Math.ceil(labels.length / 3) * 130 + 80;
  return {
    width,
    html: page(
      `<div style="position:relative;height:${height}px">${t(pick.one(labels), "position:absolute;top:16px;left:20px;font-size:1.4em;color:#333")}${boxes.join("")}</div>`,
      `background:#fff;font:${pick.between(13, 20)}px ${font}`,
    ),
  };
}

const boxes: Kind = (pick) => diagram(pick, pick.labels(9), pick.one(LATIN), 840);
const japaneseBoxes: Kind = (pick) =>
  diagram(
    pick,
    [
      ...pick.japaneseLabels(6),
      ...pick.one([
        ["RPO", "RTO", "SLA"],
        ["API", "SSO", "DNS"],
      ]),
    ],
    pick.one(GOTHIC),
    660,
  );

const banner: Kind = (pick) => {
  const gradient = pick.one([
    "linear-gradient(120deg,#0f2027,#2c5364)",
    "linear-gradient(90deg,#11998e,#0b486b)",
    "linear-gradient(135deg,#b31217,#e52d27)",
    "linear-gradient(160deg,#41295a,#2F0743)",
  ]);
  const cards = pick
    .labels(3)
    .map(
      (label) =>
        `<div style="background:#ffffff22;padding:14px;border-radius:8px;width:200px">${t(label, "font-size:15px;opacity:.9")}${t(`${pick.between(10, 999)},${pick.between(100, 999)}`, "font-size:28px;font-weight:700")}</div>`,
    );
  return {
    width: 760,
    html: page(
      `<div style="background:${gradient};padding:30px;color:#fff">${t(pick.one(["Annual review", "State of delivery", "Platform metrics"]), "font-size:34px;font-weight:700")}${t(pick.sentences(1)[0] ?? "", "margin:12px 0 20px")}<div style="display:flex;gap:18px">${cards.join("")}</div></div>`,
      `font:16px ${pick.one(LATIN)}`,
    ),
  };
};

const receipt: Kind = (pick) => {
  const rows = pick
    .items(6)
    .map(
      (item) =>
        `<div style="display:flex;justify-content:space-between">${t(item)}${t(pick.price())}</div>`,
    );
  const head = [
    pick.one(["CITY HARDWARE SDN BHD", "GREEN MARKET LTD", "NORTH SIDE STORE"]),
    `${pick.between(1, 200)} JALAN TAMAN ${pick.between(1, 30)}`,
    `Document No: ${pick.code()}`,
    `Date: ${pick.date()}  Time: ${pick.between(10, 20)}:${pick.between(10, 59)}`,
  ];
  const body = `<div style="padding:46px 40px;width:520px;margin:auto;background:#fbfaf6">${head.map((line) => t(line, "text-align:center")).join("")}<hr style="border:0;border-top:2px dashed #777">${rows.join("")}<hr style="border:0;border-top:2px dashed #777"><div style="display:flex;justify-content:space-between;font-weight:700">${t("TOTAL")}${t(pick.price())}</div>${t("Thank you, goods sold are not returnable", "text-align:center;margin-top:16px")}</div>`;
  return {
    width: 620,
    html: page(
      body,
      `background:#6b5f53;color:${pick.one(["#333", "#555", "#666"])};font:20px ${pick.one(["DejaVu Sans Mono", "Liberation Mono", "Liberation Sans"])};line-height:1.5`,
    ),
    spoil: {
      degrees: pick.between(-6, 6),
      perspective: pick.one(["", "perspective(1400px) rotateX(6deg) rotateY(-5deg)"]),
      filter: pick.one(["blur(.5px) contrast(.8)", "contrast(.6) brightness(1.1)", "blur(.8px)"]),
      grain: pick.random() * 0.25,
      shade: true,
      quality: pick.between(35, 80),
    },
  };
};

const newspaper: Kind = (pick) => {
  const columns = pick.one([2, 3, 3, 4]);
  const paragraphs = Array.from({ length: 4 }, () =>
    t(pick.sentences(4).join(" "), "margin:0 0 .6em;text-align:justify", "p"),
  );
  return {
    width: 1_000,
    html: page(
      `<div style="padding:40px">${t(pick.one(["The Morning Courier", "Evening Gazette"]), "font-size:44px;text-align:center;border-bottom:2px solid #333;margin-bottom:14px")}<div style="column-count:${columns};column-gap:${pick.one([18, 26])}px;${pick.one(["", "column-rule:1px solid #555"])}">${t(pick.labels(1)[0] ?? "", "font-size:26px;font-weight:700;margin-bottom:8px")}${paragraphs.join("")}</div></div>`,
      `background:#ece7da;color:#2b2b2b;font:${pick.between(15, 18)}px ${pick.one(["Liberation Serif", "DejaVu Serif"])};line-height:1.25`,
    ),
    spoil: {
      degrees: pick.one([0, 0.7, -0.8]),
      filter: "blur(.4px)",
      grain: 0.15,
      quality: pick.between(40, 75),
    },
  };
};

const vertical: Kind = (pick) => ({
  width: 760,
  html: page(
    `<div style="writing-mode:vertical-rl;height:560px;width:700px;padding:30px">${t(pick.japanese(8).join(""), "", "p")}</div>`,
    `background:#fdfcf7;color:#222;font:${pick.between(24, 30)}px ${pick.one(MINCHO)};line-height:1.8`,
  ),
  spoil: { grain: 0.08, quality: 80 },
});

const faint: Kind = (pick) => {
  const [back, ink] = pick.one([
    ["#ffffff", "#b5b5b5"],
    ["#f4efe4", "#c4b48e"],
    ["#d9e4f0", "#9db3cc"],
    ["#3a3a3a", "#5f5f5f"],
  ]);
  return {
    width: 820,
    html: page(
      `<div style="padding:34px">${pick
        .sentences(6)
        .map((sentence) => t(sentence, "margin-bottom:12px"))
        .join("")}</div>`,
      `background:${back};color:${ink};font:19px ${pick.one(LATIN)}`,
    ),
  };
};

const small: Kind = (pick) => {
  const rows = pick
    .labels(10)
    .map(
      (label) =>
        `<tr>${[label, pick.code(), pick.date(), pick.price()].map((cell) => `<td>${t(cell, "", "span")}</td>`).join("")}</tr>`,
    );
  const head = ["Service", "Number", "Date", "Amount"].map(
    (cell) => `<th>${t(cell, "", "span")}</th>`,
  );
  return {
    width: 520,
    html: page(
      `<style>td,th{border:1px solid #bbb;padding:2px 5px;text-align:left}th{background:#2f5597;color:#fff}</style><table style="border-collapse:collapse;margin:10px">${`<tr>${head.join("")}</tr>`}${rows.join("")}</table>${t(pick.sentences(1)[0] ?? "", "padding:6px 10px")}`,
      `background:#fff;font:${pick.between(9, 11)}px ${pick.one(LATIN)}`,
    ),
  };
};

const blocky: Kind = (pick) => ({
  width: 800,
  html: page(
    `<div style="padding:30px">${pick
      .sentences(7)
      .map((sentence) => t(sentence, "margin-bottom:10px"))
      .join("")}</div>`,
    `background:#fff;color:#111;font:16px ${pick.one(LATIN)}`,
  ),
  spoil: { quality: pick.between(8, 18) },
});

const japaneseDark: Kind = (pick) => ({
  width: 720,
  html: page(
    `<div style="padding:24px">${t(pick.japaneseLabels(1)[0] ?? "", "font-size:24px;color:#fff;background:#b7410e;padding:8px 14px;margin-bottom:14px")}${pick
      .japanese(6)
      .map((sentence) => t(sentence, "margin-bottom:9px"))
      .join("")}</div>`,
    `background:${pick.one(["#202124", "#12263f"])};color:#e8eaed;font:${pick.between(14, 18)}px ${pick.one(GOTHIC)}`,
  ),
});

const slide: Kind = (pick) => ({
  width: 1_280,
  html: page(
    `<div style="height:720px;background:${pick.one(COLOURS)};padding:60px 80px">${t(pick.labels(1)[0] ?? "", "font-size:54px;color:#fff;margin-bottom:30px")}<ul style="font-size:28px;color:#f3f3f3">${pick
      .sentences(4)
      .map((sentence) => t(sentence, "margin-bottom:18px", "li"))
      .join("")}</ul></div>`,
    `font:20px ${pick.one(LATIN)}`,
  ),
  spoil: {
    perspective: "perspective(2200px) rotateY(7deg)",
    filter: "blur(.6px)",
    grain: 0.12,
    shade: true,
    quality: 60,
  },
});

export const KINDS: Readonly<Record<string, Kind>> = {
  "dark-app": darkApp,
  boxes,
  "boxes-ja": japaneseBoxes,
  banner,
  receipt,
  newspaper,
  "vertical-ja": vertical,
  faint,
  small,
  blocky,
  "dark-ja": japaneseDark,
  slide,
};
