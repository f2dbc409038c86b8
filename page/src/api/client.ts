// SPDX-License-Identifier: Apache-2.0
// The one way to the server. All types are those of its description (schema.d.ts, made by `npm run api`).
import type { components, paths } from "./schema";

export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

type Method = "get" | "post";
type PathsOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P][M & keyof paths[P]];
type Json<R> = R extends { content: { "application/json": infer Body } } ? Body : never;
type Answer<O> = O extends { responses: infer R } ? { [S in keyof R & (200 | 201 | 202)]: Json<R[S]> }[keyof R & (200 | 201 | 202)] : never;
type Query<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
type Place<O> = O extends { parameters: { path: infer Q } } ? Q : Record<never, never>;
type Body<O> = O extends { requestBody: { content: { "application/json": infer B } } } ? B : undefined;

const root = "/api/v1";

/** What the server refuses, in its words, or why it cannot be asked. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly what: string,
    readonly where: string,
    readonly remedy: string,
  ) {
    super(what);
  }
}

type Plain = string | number | boolean | undefined;

export function address(path: string, query: Record<string, Plain> = {}, place: Record<string, Plain> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(place[name])));
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined && value !== "") words.set(key, String(value));
  const text = words.toString();
  return root + filled + (text ? `?${text}` : "");
}

async function refusal(response: Response): Promise<Refusal> {
  try {
    const { error } = (await response.json()) as Schema<"Error">;
    return new Refusal(response.status, error.what, error.where, error.remedy);
  } catch {
    return new Refusal(response.status, `the server answered ${response.status} ${response.statusText}`.trim(), "", "");
  }
}

async function ask(url: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refusal(0, "the server does not answer", location.host, "see whether lerp serve still runs, then try again");
  }
  if (!response.ok) throw await refusal(response);
  return response.json();
}

export function get<P extends PathsOf<"get">>(
  path: P,
  args: { query?: Query<Operation<P, "get">>; path?: Place<Operation<P, "get">>; signal?: AbortSignal } = {},
): Promise<Answer<Operation<P, "get">>> {
  const url = address(path, args.query as Record<string, Plain>, args.path as Record<string, Plain>);
  return ask(url, { signal: args.signal ?? null }) as Promise<Answer<Operation<P, "get">>>;
}

export function post<P extends PathsOf<"post">>(
  path: P,
  body: Body<Operation<P, "post">>,
  args: { path?: Place<Operation<P, "post">>; signal?: AbortSignal } = {},
): Promise<Answer<Operation<P, "post">>> {
  const url = address(path, {}, args.path as Record<string, Plain>);
  const headers = { "Content-Type": "application/json" };
  // A POST without anything to say still sends a body, so that the server need not guess.
  return ask(url, { method: "POST", headers, body: JSON.stringify(body ?? {}), signal: args.signal ?? null }) as Promise<
    Answer<Operation<P, "post">>
  >;
}
