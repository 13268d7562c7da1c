// HTML → a picture file and the lines that are written on it.
import { readFile, writeFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import type { Drawn, Spoil } from "./kinds.ts";

export interface Drawing {
  readonly path: string;
  readonly lines: readonly string[];
}

export async function draw(browser: Browser, drawn: Drawn, base: string): Promise<Drawing> {
  const page = await browser.newPage({ viewport: { width: drawn.width, height: 200 } });
  await page.setContent(drawn.html);
  const lines = await page.locator(".t").allInnerTexts();
  const path = `${base}.${drawn.spoil?.quality === undefined ? "png" : "jpg"}`;
  const clean = await page.screenshot({ fullPage: true });
  await page.close();
  await writeFile(path, drawn.spoil ? await spoilt(browser, clean, drawn.spoil) : clean);
  await writeFile(`${base}.json`, JSON.stringify(lines));
  return { path, lines };
}

export async function drawn(base: string): Promise<Drawing | undefined> {
  const lines = await readFile(`${base}.json`, "utf8").catch(() => undefined);
  if (lines === undefined) return undefined;
  const png = await readFile(`${base}.png`).catch(() => undefined);
  return { path: `${base}.${png === undefined ? "jpg" : "png"}`, lines: JSON.parse(lines) };
}

async function spoilt(browser: Browser, clean: Buffer, spoil: Spoil): Promise<Buffer> {
  const width = clean.readUInt32BE(16);
  const height = clean.readUInt32BE(20);
  const page = await browser.newPage({ viewport: { width: width + 40, height: height + 40 } });
  const grain = `<svg style="position:absolute;inset:0;width:100%;height:100%;opacity:${spoil.grain ?? 0}"><filter id="n"><feTurbulence type="fractalNoise" baseFrequency=".9" numOctaves="2" seed="7"/><feColorMatrix type="saturate" values="0"/></filter><rect width="100%" height="100%" filter="url(#n)"/></svg>`;
  const shade = spoil.shade
    ? `<div style="position:absolute;inset:0;background:linear-gradient(115deg,#0006,#0000 45%,#0003)"></div>`
    : "";
  const transform = `${spoil.perspective ?? ""} rotate(${spoil.degrees ?? 0}deg)`;
  await page.setContent(
    `<style>body{margin:0;background:#8a7f72;overflow:hidden}</style><div style="position:relative;width:${width + 40}px;height:${height + 40}px"><img src="data:image/png;base64,${clean.toString("base64")}" style="margin:20px;transform:${transform};filter:${spoil.filter ?? "none"}">${shade}${grain}</div>`,
  );
  const shot = await page.screenshot({ type: "jpeg", quality: spoil.quality ?? 90 });
  await page.close();
  return shot;
}
