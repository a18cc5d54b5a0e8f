import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SafeHtml } from '#core/html/html.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'
import { type Told, told } from './person-desk.ts'

export interface PersonRoutesOptions {
  /** Of what the page shows now. */
  readonly version: () => string
  readonly page: () => SafeHtml
  readonly answer: (taskId: string, did: Told, why: string) => void
}

/** The pages' HTTP side. */
export interface PersonRoutes {
  /** Answers a request below `base`. */
  handle(base: string, request: IncomingMessage, response: ServerResponse): void
  /** Has open pages look again. */
  tell(): void
  /** Tells open pages that the run is over. */
  end(): void
}

const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    'img-src data:',
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

const longestForm = 16 * 1024
const longestReason = 2000

/** The routes of the person's pages: the page, its style and script, its events, and the answers. */
export function createPersonRoutes({ version, page, answer }: PersonRoutesOptions): PersonRoutes {
  const listeners = new Set<ServerResponse>()
  const send = (response: ServerResponse, type: string, body: string) => {
    response.writeHead(200, { ...securityHeaders, 'content-type': `${type}; charset=utf-8` })
    response.end(body)
  }
  const announce = (response: ServerResponse) =>
    response.write(`event: changed\ndata: ${version()}\n\n`)

  const routes: Readonly<
    Record<string, (request: IncomingMessage, response: ServerResponse) => void>
  > = {
    'GET /': (_, response) => send(response, 'text/html', page().markup),
    'GET /style.css': (_, response) => send(response, 'text/css', pageStyle),
    'GET /script.js': (_, response) => send(response, 'text/javascript', pageScript),
    'GET /events': (_, response) => {
      response.writeHead(200, { ...securityHeaders, 'content-type': 'text/event-stream' })
      listeners.add(response)
      response.once('close', () => listeners.delete(response))
      announce(response)
    },
    'POST /answers': async (request, response) => {
      const form = await readForm(request)
      const did = told.find((each) => each === form?.get('did'))
      if (!form || !did) return void response.writeHead(400, securityHeaders).end()
      answer(form.get('task') ?? '', did, (form.get('why') ?? '').slice(0, longestReason).trim())
      response.writeHead(303, { ...securityHeaders, location: './' }).end()
    },
  }

  return {
    handle(base, request, response) {
      const { pathname } = new URL(request.url ?? '/', 'http://kit')
      const route = routes[`${request.method} ${pathname.slice(base.length)}`]
      // Other sites' pages do not know the address; should one learn it, its forms still count nothing.
      if (route && request.headers['sec-fetch-site'] !== 'cross-site')
        return route(request, response)
      response.writeHead(route ? 403 : 404, securityHeaders).end()
    },
    tell: () => listeners.forEach(announce),
    end() {
      for (const response of listeners) response.end('event: over\ndata: \n\n')
    },
  }
}

/** A form of the page; undefined where it is none, is too long or breaks off. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
    return undefined
  }
  let text = ''
  try {
    for await (const chunk of request.setEncoding('utf8')) {
      text += chunk
      if (text.length > longestForm) return undefined
    }
  } catch {
    return undefined
  }
  return new URLSearchParams(text)
}
