import { randomBytes } from 'node:crypto'
import type { ExchangeLog } from '../../../kit/evidence/exchange-log.ts'
import type { KitServer } from '../../../world/start-kit-server.ts'
import type { VerbAnswer } from '../verb-answer.ts'
import { createPersonRoutes } from './create-person-routes.ts'
import type { PersonDesk, PersonTask, Told } from './person-desk.ts'
import { taskPage } from './task-page.ts'
import { waitingPage } from './waiting-page.ts'

export interface PersonDeskOptions {
  readonly server: Pick<KitServer, 'origin' | 'handle'>
  readonly exchanges: Pick<ExchangeLog, 'add'>
  /** Name of the wallet, for the page. */
  readonly targetName: string
  /** Asks on the terminal as well: did it accept? Undefined where nobody is there. */
  readonly askPerson?: ((question: string) => Promise<boolean | undefined>) | undefined
}

/** What a person told. */
interface Answer {
  readonly did: Told
  readonly why: string
}

/** A task that waits for its answer. */
interface OpenTask extends PersonTask {
  readonly id: string
  readonly number: number
  readonly timeoutMilliseconds: number
  readonly answer: (answer: Answer) => void
}

/**
 * Opens the pages on which the person is asked who holds the wallet under test, below an address
 * that nobody can guess: whoever knows it decides checks.
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
    answer(id, did, why) {
      // An answer to what is no longer asked comes too late to count.
      if (current?.id === id) current.answer({ did, why })
    },
  })
  const unmount = server.handle(path, (request, response) => routes.handle(path, request, response))

  return {
    url: `${server.origin}${path}/`,
    async ask(task, { signal, timeoutMilliseconds }) {
      const began = performance.now()
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
      const id = randomBytes(8).toString('base64url')
      asked++
      current = { ...task, id, number: asked, timeoutMilliseconds, answer: resolve }
      routes.tell()
      const limit = setTimeout(resolve, timeoutMilliseconds, undefined)
      const interrupt = () => resolve(undefined)
      signal.addEventListener('abort', interrupt, { once: true })
      if (signal.aborted) interrupt()
      askPerson?.(`${task.verb}: did the wallet accept?`).then((accepted) => {
        if (accepted !== undefined) resolve({ did: accepted ? 'accepted' : 'refused', why: '' })
      })
      const answer = await promise
      clearTimeout(limit)
      signal.removeEventListener('abort', interrupt)
      if (current.id === id) current = undefined
      routes.tell()
      exchanges.add({
        kind: 'person',
        from: 'kit',
        to: 'person',
        method: 'ASKED',
        url: task.verb,
        status: 0,
        durationMilliseconds: performance.now() - began,
        requestBody: task,
        responseBody: answer ?? '(no answer)',
      })
      return answer ? answerOf(answer) : unanswered(signal, timeoutMilliseconds)
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

const reasons: Readonly<Record<Told, string>> = {
  accepted: 'A person saw that it accepted',
  refused: 'A person saw that it refused',
  nothing: 'A person saw nothing happen, which shows neither',
  skipped: 'A person skipped it',
}

function answerOf({ did, why }: Answer): VerbAnswer {
  const said = did === 'refused' && why !== '' ? `: ${why}` : '.'
  const reason = `${reasons[did]}${said}`
  return { outcome: outcomes[did], reason, text: why, json: undefined, source }
}

function unanswered(signal: AbortSignal, timeoutMilliseconds: number): VerbAnswer {
  const reason = signal.aborted
    ? 'The time was over before a person answered.'
    : `No person answered within ${timeoutMilliseconds / 1000} seconds.`
  return { outcome: 'timed-out', reason, text: '', json: undefined, source }
}
