import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { sendEvents } from '#kit/event-stream.ts'
import type { Hop } from '#kit/traces.ts'
import { zConsolePath } from '../authentication.ts'
import type { ControlDependencies } from '../dependencies.ts'

const zSince = z.object({
  since: z.coerce.number().int().min(0).default(0).describe('Only hops with a higher id'),
})

const collectHops = (environments: ControlDependencies['environments']) =>
  Promise.all([...environments.values()].map((each) => each.collectHops()))

/** Characters of a part of an answer. */
const partLength = 64 * 1024

/** The answer in parts: as one string it has up to 12 MiB, and glibc keeps blocks of that size. */
function* jsonOf(hops: readonly Hop[]): Generator<string> {
  let part = '{"hops":['
  for (const [index, hop] of hops.entries()) {
    part += `${index === 0 ? '' : ','}${JSON.stringify(hop)}`
    if (part.length < partLength) continue
    yield part
    part = ''
  }
  yield `${part}]}`
}

export const readTraces = defineRoute<ControlDependencies>()({
  method: 'get',
  path: '/control/traces',
  summary: 'List the recorded exchanges, with secrets masked',
  description: 'The oldest are dropped when their total size exceeds a few MiB.',
  auth: 'control',
  request: { query: zSince },
  responses: {
    200: { description: 'Oldest first', body: z.object({ hops: z.array(z.unknown()) }) },
  },
  errors: ['invalid_request'],
  async handle({ query, response }, { traces, environments }) {
    await collectHops(environments)
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    // Only a client that leaves early ends it with an error.
    await pipeline(jsonOf(traces.since(query.since)), response).catch(() => {})
    return { status: 200 }
  },
})

export const streamTraces = defineRoute<ControlDependencies>()({
  method: 'get',
  path: '/control/traces/stream',
  summary: 'Stream recorded exchanges as they happen, as server-sent events',
  description: 'Continues after `since`, or after the event named by Last-Event-ID.',
  auth: 'control',
  request: {
    query: z.object({
      since: z.coerce
        .number()
        .int()
        .min(0)
        .optional()
        .describe('Only hops with a higher id. Default: only new ones'),
    }),
  },
  responses: { 200: { description: 'Events of type `hop`', contentType: 'text/event-stream' } },
  errors: ['invalid_request'],
  async handle({ query, request, response }, { traces, environments, stopping }) {
    await collectHops(environments)
    const lastSeen = Number(request.get('last-event-id') ?? query.since ?? Number.NaN)
    let last = Number.isInteger(lastSeen) ? lastSeen : Number.POSITIVE_INFINITY
    await sendEvents(response, {
      stopping,
      opening: Number.isFinite(last) ? '' : ': from now on\n\n',
      subscribe: (notify) =>
        traces.subscribe(({ id }) => {
          // A reader may know a higher id, from before a restart.
          last = Math.min(last, id - 1)
          notify()
        }),
      *read() {
        for (const hop of traces.since(last)) {
          last = hop.id
          yield `id: ${hop.id}\nevent: hop\ndata: ${JSON.stringify(hop)}\n\n`
        }
      },
    })
    return { status: 200 }
  },
})

export const createConsoleLink = defineRoute<ControlDependencies>()({
  method: 'post',
  path: '/control/console-links',
  summary: 'Create a link that opens the console once',
  auth: 'token',
  security: 'control',
  request: {
    body: z
      .strictObject({ to: zConsolePath.default('/').describe('The page that it opens') })
      .default({ to: '/' }),
  },
  responses: { 200: { description: 'The address', body: z.object({ url: z.string() }) } },
  errors: ['invalid_request'],
  handle: ({ body }, { sessions }) => ({
    status: 200,
    body: { url: sessions.createLink(body.to) },
  }),
})
