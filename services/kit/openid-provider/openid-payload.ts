import type { AdapterPayload } from 'oidc-provider'

// JSON text never holds it unescaped.
const placeOfId = '\u001f'

/** The text that is kept of a model: without its own id, and without the id of a browser's session. */
export function writePayload(payload: AdapterPayload, id: string): string {
  const known = { ...payload, ...(payload.session && { session: withoutCookie(payload.session) }) }
  return JSON.stringify(known).replaceAll(id, placeOfId)
}

/** The model of a kept text, with its id put back. */
export function readPayload(text: string, id: string): AdapterPayload {
  return JSON.parse(text.replaceAll(placeOfId, id))
}

function withoutCookie(session: object): NonNullable<AdapterPayload['session']> {
  return { ...session, cookie: undefined } as NonNullable<AdapterPayload['session']>
}
