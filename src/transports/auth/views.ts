// Temporary tokens by which an administrator sees the server as another caller does. A view allows no more than either
// of them may do, and it ends with the entry of either in the token file.
import { randomBytes } from "node:crypto";
import { describeHolder, holdsEverywhere, parseGrant, toHolder } from "../../domain/call/grants.ts";
import { isSame, type Principal } from "../../domain/call/principal.ts";
import { digestOf, type FileToken } from "./token-file.ts";

interface View {
  readonly digest: Buffer;
  readonly viewer: Principal;
  /** The viewer is in the token file. */
  readonly isListed: boolean;
  /** Of the token that it shows. */
  readonly name: string;
  readonly until: number;
  /** Kept while the token file stays as it is: a caller is known by its object. */
  made?: { readonly of: Principal; readonly principal: Principal };
}

const VALID_MS = 30 * 60_000;
/** More than there are people who look at the same time. */
const MAX_VIEWS = 100;

/** `listed` returns the entries that the token file has now. */
export function openViews(listed: () => readonly FileToken[]) {
  const views: View[] = [];
  const find = (is: (principal: Principal) => boolean) =>
    listed().find(({ principal, until }) => is(principal) && Date.now() < until)?.principal;
  const show = (view: View): Principal | undefined => {
    const { viewer, isListed, name } = view;
    const of = find((principal) => principal.name === name);
    if (of === undefined || (isListed && !find((each) => isSame(each, viewer)))) return undefined;
    if (view.made?.of !== of) view.made = { of, principal: narrow(viewer, of) };
    return view.made.principal;
  };
  return {
    /** Undefined if there is no token of that name, or the viewer is itself a view. */
    open(viewer: Principal, name: string): string | undefined {
      const isView = views.some(({ made }) => made?.principal === viewer);
      if (isView || !find((principal) => principal.name === name)) return undefined;
      const token = `knowledge_view_${randomBytes(32).toString("base64url")}`;
      const isListed = find((each) => each === viewer) !== undefined;
      const until = Date.now() + VALID_MS;
      views.push({ digest: digestOf(token), viewer, isListed, name, until });
      if (views.length > MAX_VIEWS) views.shift();
      return token;
    },
    /** In the form of the token file's entries. */
    tokens: (): readonly FileToken[] =>
      views.flatMap((view) => {
        const principal = show(view);
        return principal ? [{ digest: view.digest, principal, until: view.until }] : [];
      }),
  };
}

/** What both may do. A viewer's right in some scopes only is left out. */
function narrow(viewer: Principal, of: Principal): Principal {
  const grants = describeHolder(of).flatMap((text) => parseGrant(text) ?? []);
  const shared = grants.filter(({ right }) => holdsEverywhere(viewer, right));
  return { name: `${viewer.name} as ${of.name}`, ...toHolder(shared) };
}
