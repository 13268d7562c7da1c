// How the composition root keeps its rooms: opened on first use, closed in reverse.
import { extname } from "node:path";
import type { Lifetime } from "./lifetime.ts";

/** A worker's or child's entry file, next to this one in both the source tree and the bundle. */
export function entryUrl(path: string): URL {
  return new URL(`./${path}${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
}

/** Files that ship with the program: models, OCR data, samples. */
export function packageUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

/** A room that is opened once, on first use, and closed with the app if it was opened. */
export type Lazy<Room> = () => Promise<Room>;

export type OpenLazily = <Room extends object>(
  name: string,
  open: () => Promise<Room>,
) => Lazy<Room>;

export function openRooms(lifetime: Lifetime): OpenLazily {
  return <Room extends object>(name: string, open: () => Promise<Room>): Lazy<Room> => {
    let room: Promise<Room> | undefined;
    return () => {
      if (room) return room;
      const attempt = lifetime.open(name, open);
      room = attempt;
      attempt.catch(() => {
        // The next call tries again.
        room = undefined;
      });
      return attempt;
    };
  };
}
