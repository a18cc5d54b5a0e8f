import type { Hop } from '#kit/traces.ts'
import { labelOf } from '#scenarios/reports/describe-hops.ts'

const headersOf = (headers: Readonly<Record<string, string>> = {}) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

const textOf = (body: unknown) =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)

/** Members of HAR that a recorded hop does not know: -1 by its specification. */
const unknown = { headersSize: -1, bodySize: -1 }

/**
 * Exchanges as HTTP Archive 1.2, to open in the network panel of a browser. Recorded messages have
 * their secrets masked.
 */
export function createHar(hops: readonly Hop[]): string {
  const entries = hops.map((hop) => {
    const { at, durationMilliseconds, requestHeaders, responseHeaders, method, status } = hop
    const url = new URL(hop.kind === 'http' ? hop.url : '/', `http://${hop.to}`)
    const sent = textOf(hop.requestBody)
    const received = textOf(hop.responseBody)
    return {
      startedDateTime: new Date(at).toISOString(),
      time: durationMilliseconds,
      comment: `${hop.from} to ${hop.to}: ${labelOf({ ...hop, step: 0 })}`,
      request: {
        method,
        url: url.href,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: headersOf(requestHeaders),
        queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
        ...(sent === ''
          ? {}
          : { postData: { mimeType: requestHeaders?.['content-type'] ?? '', text: sent } }),
        ...unknown,
      },
      response: {
        status,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: headersOf(responseHeaders),
        content: {
          size: Buffer.byteLength(received),
          mimeType: responseHeaders?.['content-type'] ?? '',
          text: received,
        },
        redirectURL: responseHeaders?.location ?? '',
        ...unknown,
      },
      cache: {},
      timings: { send: 0, wait: durationMilliseconds, receive: 0 },
    }
  })
  const log = { version: '1.2', creator: { name: 'lear-testbed', version: '1' }, entries }
  return JSON.stringify({ log }, undefined, 2)
}

/** Characters that end a message of a Mermaid diagram, or begin an entity. */
const reserved = /[;#\n\r]/g

/** Exchanges as a sequence diagram in the syntax of Mermaid. */
export function createMermaid(hops: readonly Hop[], nameOf: (part: string) => string): string {
  const aliasOf = (part: string) => part.replaceAll(/\W/g, '_')
  const parts = [...new Set(hops.flatMap(({ from, to }) => [from, to]))]
  const quoted = (text: string) =>
    text.replaceAll(reserved, (character) => `#${character.codePointAt(0)};`)
  return [
    'sequenceDiagram',
    ...parts.map((part) => `  participant ${aliasOf(part)} as ${quoted(nameOf(part))}`),
    ...hops.map((hop) => {
      const broken = hop.rules?.filter(({ passed }) => !passed).map(({ rule }) => rule) ?? []
      const outcome = broken.length === 0 ? '' : ` ✗ ${broken.join(', ')}`
      const arrow = hop.status >= 400 || broken.length > 0 ? '-x' : '->>'
      const label = quoted(`${labelOf({ ...hop, step: 0 })} ${hop.status}${outcome}`)
      return `  ${aliasOf(hop.from)}${arrow}${aliasOf(hop.to)}: ${label}`
    }),
    '',
  ].join('\n')
}
