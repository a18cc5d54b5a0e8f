import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { PlanName } from '#conformance/kit/check.ts'
import { root } from '#test/support/repository.ts'
import type { Coverage, Evaluation, EvaluationOrder } from './evaluate-mutants.ts'

/** What a process is started for. */
export interface Start {
  readonly plan: PlanName
  /** Active while the modules load and the part starts. */
  readonly mutant?: string
}

export type Request =
  | { readonly kind: 'cover' }
  | { readonly kind: 'evaluate'; readonly order: EvaluationOrder }

export type Answer =
  | { readonly kind: 'started' | 'alive' }
  | { readonly kind: 'not-started'; readonly reason: string }
  | { readonly kind: 'covered'; readonly coverage: Coverage }
  | { readonly kind: 'evaluated'; readonly evaluation: Evaluation }

/** A process with the part under test and its plan. */
export interface PartProcess {
  /** Undefined if the part does not start, with this mutant. */
  readonly started: Promise<boolean>
  cover(): Promise<Coverage>
  /** Undefined if the process ended or was silent for too long; then it can't be used any more. */
  evaluate(order: EvaluationOrder): Promise<Evaluation | undefined>
  end(): void
}

/** No check takes longer; a process that is silent for so long is in an endless loop. */
const silenceMilliseconds = 90_000

const program = join(import.meta.dirname, 'part-process.ts')

/** Starts a process with the part under test. */
export function startPartProcess(start: Start): PartProcess {
  const child = fork(program, [JSON.stringify(start)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Mutants that are evaluated when a module loads need many starts.
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') },
  })
  const started = nextAnswer(child).then((answer) => answer?.kind === 'started')
  return {
    started,
    async cover() {
      if (!(await started)) throw new Error(`The part of the plan ${start.plan} does not start.`)
      const answer = await ask(child, { kind: 'cover' })
      if (answer?.kind !== 'covered') throw new Error(`The plan ${start.plan} did not end.`)
      return answer.coverage
    },
    async evaluate(order) {
      const answer = await ask(child, { kind: 'evaluate', order })
      return answer?.kind === 'evaluated' ? answer.evaluation : undefined
    },
    end: () => {
      child.kill('SIGKILL')
    },
  }
}

/** Evaluates in one process after the other. */
export interface RenewedProcess {
  /**
   * Asks a new process once more if the first one is damaged afterwards. Undefined if that does not
   * respond either.
   */
  evaluate(order: EvaluationOrder): Promise<Evaluation | undefined>
  end(): void
}

/**
 * Replaces a process that a mutant damaged: it may return a wrong verdict on the next one.
 * @param start a process with the correct part
 */
export function renewDamaged(start: () => PartProcess, initial?: PartProcess): RenewedProcess {
  let live = initial
  const end = () => {
    live?.end()
    live = undefined
  }
  return {
    async evaluate(order) {
      let evaluation: Evaluation | undefined
      for (let attempt = 1; attempt <= 2; attempt++) {
        live ??= start()
        await live.started
        evaluation = await live.evaluate(order)
        if (evaluation?.isHealthy) break
        end()
      }
      return evaluation
    },
    end,
  }
}

async function ask(child: ChildProcess, request: Request): Promise<Answer | undefined> {
  // It has ended: no more events.
  if (!child.connected) return undefined
  const answer = nextAnswer(child)
  child.send(request)
  return answer
}

/** The next answer that is more than a sign of life; undefined if there is none. */
function nextAnswer(child: ChildProcess): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const settle = (answer?: Answer) => {
      clearTimeout(timer)
      child.off('message', hear)
      child.off('exit', settleEmpty)
      resolve(answer)
    }
    const settleEmpty = () => settle()
    const hear = (message: unknown) => {
      const answer = message as Answer
      if (answer.kind === 'alive') timer.refresh()
      else settle(answer)
    }
    const timer = setTimeout(settleEmpty, silenceMilliseconds)
    child.on('message', hear)
    child.on('exit', settleEmpty)
  })
}
