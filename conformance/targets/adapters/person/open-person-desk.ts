import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SafeHtml } from '#core/html/html.ts'
import {
  type PersonAnswer,
  type PersonReply,
  type PersonTask,
  personAnswers,
  screenshotOf,
} from '#scenarios/harness/z-person-question.ts'
import type { ExchangeLog } from '../../../kit/evidence/exchange-log.ts'
import type { OpenPlanOptions } from '../../../kit/plan.ts'
import type { KitServer } from '../../../world/start-kit-server.ts'
import type { VerbAnswer } from '../call-verb.ts'
import { type PersonDesk, pageScript, pageStyle, taskPage, waitingPage } from './pages.ts'

interface PersonRoutesOptions {
  /** Identifies what the page currently shows. */
  readonly version: () => string
  readonly page: () => SafeHtml
  readonly answer: (taskId: string, did: PersonAnswer, note: string) => void
}

/** The pages' HTTP side. */
interface PersonRoutes {
  /** Answers a request below `base`. */
  handle(base: string, request: IncomingMessage, response: ServerResponse): void
  /** Makes open pages reload. */
  notifyPages(): void
  /** Informs open pages that the run is over. */
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

/**
 * The routes of the person's pages: the page, its style and script, its events, and the answers.
 */
function createPersonRoutes({ version, page, answer }: PersonRoutesOptions): PersonRoutes {
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
      const did = personAnswers.find((each) => each === form?.get('did'))
      if (!form || !did) return void response.writeHead(400, securityHeaders).end()
      answer(form.get('task') ?? '', did, (form.get('why') ?? '').slice(0, longestReason).trim())
      response.writeHead(303, { ...securityHeaders, location: './' }).end()
    },
  }

  return {
    handle(base, request, response) {
      const { pathname } = new URL(request.url ?? '/', 'http://kit')
      const route = routes[`${request.method} ${pathname.slice(base.length)}`]
      // Pages of other sites do not know the address; if one learns it, it still cannot send valid
      // answers.
      if (route && request.headers['sec-fetch-site'] !== 'cross-site')
        return route(request, response)
      response.writeHead(route ? 403 : 404, securityHeaders).end()
    },
    notifyPages: () => listeners.forEach(announce),
    end() {
      for (const response of listeners) response.end('event: over\ndata: \n\n')
    },
  }
}

/** Reads a form of the page; undefined if it is invalid, too long or incomplete. */
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

export interface PersonDeskOptions {
  readonly server: Pick<KitServer, 'origin' | 'handle'>
  readonly exchanges: Pick<ExchangeLog, 'add' | 'attach'>
  /** Name of the wallet, for the page. */
  readonly targetName: string
  /** Also asks elsewhere: on the terminal, or in the console. */
  readonly askPerson?: OpenPlanOptions['askPerson'] | undefined
}

/** A task that waits for its answer. */
interface OpenTask extends PersonTask {
  readonly id: string
  readonly answer: (reply: PersonReply) => void
}

/**
 * Opens the pages that ask the person with the wallet under test. Their address is unguessable,
 * because anyone who knows it can decide checks.
 */
export function openPersonDesk(options: PersonDeskOptions): PersonDesk {
  const { server, exchanges, targetName, askPerson } = options
  const path = `/person/${randomBytes(16).toString('base64url')}`
  let current: OpenTask | undefined
  let asked = 0
  const version = () => current?.id ?? `waiting-${asked}`
  const routes = createPersonRoutes({
    version,
    page: () =>
      current ? taskPage({ ...current, targetName }) : waitingPage(targetName, version()),
    answer(id, did, note) {
      // An answer to an earlier task comes too late to count.
      if (current?.id === id) current.answer({ did, note })
    },
  })
  const unmount = server.handle(path, (request, response) => routes.handle(path, request, response))

  return {
    url: `${server.origin}${path}/`,
    async ask(asking, { signal, timeoutMilliseconds }) {
      const began = performance.now()
      const { promise, resolve } = Promise.withResolvers<PersonReply | undefined>()
      const id = randomBytes(8).toString('base64url')
      const task = { ...asking, number: ++asked, timeoutMilliseconds }
      current = { ...task, id, answer: resolve }
      routes.notifyPages()
      const limit = setTimeout(resolve, timeoutMilliseconds, undefined)
      const interrupt = () => resolve(undefined)
      signal.addEventListener('abort', interrupt, { once: true })
      if (signal.aborted) interrupt()
      const answered = new AbortController()
      askPerson?.(task, answered.signal).then((reply) => reply && resolve(reply))
      const reply = await promise
      answered.abort()
      clearTimeout(limit)
      signal.removeEventListener('abort', interrupt)
      if (current.id === id) current = undefined
      routes.notifyPages()
      if (reply) exchanges.attach(screenshotOf(`Screenshot of step ${task.number}`, reply))
      exchanges.add({
        kind: 'person',
        from: 'kit',
        to: 'person',
        method: 'ASKED',
        url: task.verb,
        status: 0,
        durationMilliseconds: performance.now() - began,
        requestBody: asking,
        responseBody: reply ? { did: reply.did, note: reply.note } : '(no response)',
      })
      return reply ? answerOf(reply) : unanswered(signal, timeoutMilliseconds)
    },
    close() {
      routes.end()
      unmount()
    },
  }
}

const source = 'a person'

const outcomes = {
  accepted: 'done',
  refused: 'refused',
  nothing: 'failed',
  skipped: 'failed',
} as const

const reasons: Readonly<Record<PersonAnswer, string>> = {
  accepted: 'A person observed that it accepted',
  refused: 'A person observed that it refused',
  nothing: 'A person observed no reaction, which shows neither',
  skipped: 'A person skipped it',
}

function answerOf({ did, note }: PersonReply): VerbAnswer {
  const said = did === 'refused' && note !== '' ? `: ${note}` : '.'
  const reason = `${reasons[did]}${said}`
  return { outcome: outcomes[did], reason, text: note, json: undefined, source }
}

function unanswered(signal: AbortSignal, timeoutMilliseconds: number): VerbAnswer {
  const reason = signal.aborted
    ? 'The time limit passed before a person answered.'
    : `No person answered within ${timeoutMilliseconds / 1000} seconds.`
  return { outcome: 'timed-out', reason, text: '', json: undefined, source }
}
