import type { Reply } from '#kit/define-route.ts'

/** Leads on by GET. */
export function leadTo(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } }
}
