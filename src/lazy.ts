// How the composition root keeps its rooms: opened at first need, closed in reverse.
import { extname } from "node:path";
import type { Lifetime } from "./lifetime.ts";

/** A worker's or child's entry file, beside this one in the source tree and in the bundle alike. */
export function entryUrl(path: string): URL {
  return new URL(`./${path}${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
}

/** Files that ship with the program: models, OCR data, samples. */
export function packageUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

/** A room that is opened when it is first asked for, once, and closed with the app if it ever was. */
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
        // Tried again at the next call.
        room = undefined;
      });
      return attempt;
    };
  };
}
