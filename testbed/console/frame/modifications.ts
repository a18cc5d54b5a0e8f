import type { Language, Texts } from '#kit/language.ts'
import type { FaultName } from '#kit/runtime.ts'
import { zFailure } from '#services/management/domain/failures.ts'
import { returnToRealTime } from '#testbed/control/routes/clock-and-mining.ts'
import { foreignManagementUrlOf } from '#testbed/services/environment-context.ts'
import { createServiceClient } from '#testbed/services/service-client.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'

/** A change of the test environment that makes its services behave differently. */
export type Modification =
  | { readonly kind: 'clock'; readonly seconds: number }
  | { readonly kind: 'fault'; readonly environment: string; readonly name: FaultName }
  | { readonly kind: 'mining'; readonly environment: string }
  | { readonly kind: 'management'; readonly environment: string; readonly failure: string }

const english = {
  clock: (duration: string, isAhead: boolean) =>
    `The clock is ${duration} ${isAhead ? 'ahead' : 'behind'}.`,
  fault: (name: string) => `The fault ${name} is on.`,
  mining: 'Mining is on hold.',
  management: (failure: string) => `The management API fails (${failure}).`,
}

const texts: Texts<typeof english> = {
  en: english,
  es: {
    clock: (duration, isAhead) =>
      isAhead ? `El reloj va ${duration} adelantado.` : `El reloj va ${duration} atrasado.`,
    fault: (name) => `El fallo ${name} está activo.`,
    mining: 'La minería está retenida.',
    management: (failure) => `La API de gestión falla (${failure}).`,
  },
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** A number of a unit, for example `30 days`. */
export const formatUnit = (language: Language, count: number, unit: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)

/** A duration in its two largest units, for example `1 day, 2 hours`. */
export function describeDuration(language: Language, seconds: number): string {
  let left = Math.abs(Math.round(seconds))
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? [] : [formatUnit(language, count, unit)]
  })
  return parts.slice(0, 2).join(', ')
}

/** Connects to the stand-in for the management API; undefined if there is none. */
function openStandIn({ context }: RunningEnvironment) {
  if (foreignManagementUrlOf(context) !== undefined) return undefined
  const limits = { timeoutMilliseconds: 1000 }
  return createServiceClient(context, 'management', { caller: 'console', ...limits })
}

/** The failure that the stand-in simulates; undefined if there is none, or it does not answer. */
export async function readManagementFailure(running: RunningEnvironment) {
  const answer = await openStandIn(running)
    ?.getJson('/stand-in/failure')
    .catch(() => undefined)
  const { failure } = (answer?.json ?? {}) as { failure?: unknown }
  return zFailure.safeParse(failure).data
}

async function readEnvironment(running: RunningEnvironment): Promise<Modification[]> {
  const { environment, context, chainProcess } = running
  const [mining, failure] = await Promise.all([
    chainProcess?.readMining(),
    readManagementFailure(running),
  ])
  const faults = context.runtime.faults.list().filter(({ active }) => active)
  return [
    ...faults.map(({ name }) => ({ kind: 'fault' as const, environment, name })),
    ...(mining === 'manual' ? [{ kind: 'mining' as const, environment }] : []),
    ...(failure === undefined
      ? []
      : [{ kind: 'management' as const, environment, failure: failure.failure }]),
  ]
}

/** Everything that is modified now, in all environments. */
export async function readModifications({
  clock,
  environments,
}: Pick<ConsoleDependencies, 'clock' | 'environments'>): Promise<Modification[]> {
  const found = await Promise.all([...environments.values()].map(readEnvironment))
  const seconds = Math.round(clock.offset / 1000)
  return [...(seconds === 0 ? [] : [{ kind: 'clock' as const, seconds }]), ...found.flat()]
}

/** One sentence for each modification; names the environment if there are several. */
export function describeModifications(
  language: Language,
  modifications: readonly Modification[],
  environments: number,
): string[] {
  return modifications.map((each) => {
    const sentence = describeModification(language, each)
    return each.kind === 'clock' || environments === 1
      ? sentence
      : `${each.environment}: ${sentence}`
  })
}

function describeModification(language: Language, modification: Modification): string {
  const { clock, fault, mining, management } = texts[language]
  switch (modification.kind) {
    case 'clock': {
      const { seconds } = modification
      return clock(describeDuration(language, seconds), seconds > 0)
    }
    case 'fault':
      return fault(modification.name)
    case 'mining':
      return mining
    case 'management':
      return management(modification.failure)
  }
}

/** Ends every modification: real time, no fault, no failure, transactions mined when they arrive. */
export async function undoModifications(dependencies: ConsoleDependencies): Promise<void> {
  const { environments } = dependencies
  for (const each of await readModifications(dependencies)) {
    if (each.kind === 'clock') {
      await returnToRealTime(dependencies)
      continue
    }
    const running = environments.get(each.environment)
    if (running === undefined) continue
    if (each.kind === 'fault') await running.context.runtime.faults.set(each.name, false)
    if (each.kind === 'mining') await running.chainProcess?.setMining('auto')
    if (each.kind === 'management') {
      await openStandIn(running)?.request('/stand-in/failure', { method: 'DELETE' })
    }
  }
}
