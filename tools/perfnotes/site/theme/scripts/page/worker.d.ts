// The interfaces of a browser that the service worker uses. TypeScript's own types of workers conflict with
// those of pages. No browser loads this file.

interface WaitingEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface RequestEvent extends WaitingEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
/**
 * A page sends the addresses of its files, whether the index may be fetched too, and whether the files have to
 * be asked of the server again.
 */
interface PageEvent extends WaitingEvent {
  data: { keep?: string[]; index?: boolean; renewed?: boolean } | null;
  source: { postMessage(message: unknown): void } | null;
}
interface WorkerScope {
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", act: (event: WaitingEvent) => void): void;
  addEventListener(type: "fetch", act: (event: RequestEvent) => void): void;
  addEventListener(type: "message", act: (event: PageEvent) => void): void;
}
/** What the build writes before the worker: its version, which files of the index there are, the pages of results. */
declare var pnSite: { version: string; index: boolean; facets: string; results: string[] };
