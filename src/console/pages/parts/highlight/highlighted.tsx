import { highlighterOf } from "./highlighter.ts";

export function Highlighted({ text, query }: { text: string; query: string }) {
  const marks = highlighterOf(query)(text);
  const ends = [0, ...marks.map(({ end }) => end)];
  return (
    <>
      {marks.map(({ start, end }, at) => (
        <>
          {text.slice(ends[at], start)}
          <mark>{text.slice(start, end)}</mark>
        </>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}
