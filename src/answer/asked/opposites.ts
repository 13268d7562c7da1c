// Words that mean the opposite: a sentence about the start does not say when something ends.
import { stemOf } from "../../text/words.ts";

const OPPOSITES = (
  "increase decrease,rise fall,high low,higher lower,highest lowest,large small,larger smaller,largest smallest," +
  "more less,most least,best worst,good bad,before after,start end,begin end,first last,early late,old new,young old," +
  "north south,east west,northern southern,eastern western,inner outer,upper lower,left right,win lose,success failure," +
  "support oppose,accept reject,allow prevent,include exclude,strong weak,rich poor,public private,urban rural," +
  "positive negative,major minor,maximum minimum,male female,man woman,war peace,enter leave,open closed,fast slow," +
  "long short,possible impossible,legal illegal,common rare,few many,always never,born died,build destroy,gain lose," +
  "import export,input output,internal external,liquid solid,hot cold,easy hard,simple complex,thick thin,wide narrow," +
  "deep shallow,heavy light,top bottom,front back,same different,true false,add remove,attack defend,finite infinite," +
  "odd even,direct indirect,formal informal,active passive"
)
  .split(",")
  .map((pair) => pair.split(" ").map(stemOf));

/** "Uninstall" is the opposite of "install"; the rest after the prefix must be long enough to be a word. */
const NEGATION = /^(?:un|non|dis|mis|in|im|ir|il)-?(?=\p{L}{4})/u;

export function opposites(key: string): readonly string[] {
  const turned = key.replace(NEGATION, "");
  if (turned !== key) return [turned, stemOf(turned)];
  const pairs = OPPOSITES.filter((pair) => pair.includes(key));
  return pairs.flatMap((pair) => pair.filter((word) => word !== key));
}
