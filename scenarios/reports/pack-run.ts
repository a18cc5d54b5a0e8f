import { gzipSync } from 'node:zlib'
import type { ScenarioResult } from '#scenarios/harness/z-results.ts'
import { createValueTable } from './create-value-table.ts'
import { describeHop } from './describe-hop.ts'
import { findFailedHop } from './find-failed-hop.ts'
import { groupHops } from './group-hops.ts'

/** Hops of a run, compressed: what the page's script draws a scenario from once it is opened. */
export interface PackedRun {
  /** Values that several scenarios hold: gzip of JSON, in base64. */
  readonly shared: string
  /** By scenario, in their order; empty where it has no hops. */
  readonly scenarios: readonly string[]
}

const compress = (json: string) => gzipSync(json, { level: 6 }).toString('base64')

/**
 * Packs the hops of all scenarios for the page. Each distinct message is kept once, and each token
 * is decoded once, here, so that the page needs no decoder.
 */
export function packRun(results: readonly ScenarioResult[]): PackedRun {
  const table = createValueTable()
  const drafts = results.map((result) => {
    const hops = result.hops.map((hop) => {
      const { request, response, rules, ...line } = describeHop(hop)
      return {
        ...line,
        ...(request && { request: table.add(request) }),
        ...(response && { response: table.add(response) }),
        ...(rules && { rules: table.add(rules) }),
      }
    })
    const groups = groupHops(result.hops).map((group) => group.hops.length)
    const failedHop = findFailedHop(result)
    const steps = result.steps.map(({ title, verdict }) => ({ title, verdict }))
    const head = { steps, groups, ...(failedHop !== undefined && { failedHop }), hops }
    const numbers = hops.flatMap(({ request = -1, response = -1, rules = -1 }) =>
      [request, response, rules].filter((number) => number >= 0),
    )
    return { head, reached: table.reach(numbers) }
  })

  const holders = new Map<number, number>()
  for (const { reached } of drafts) {
    for (const number of reached) holders.set(number, (holders.get(number) ?? 0) + 1)
  }
  const write = (numbers: readonly number[]) =>
    `{${numbers.map((number) => `"${number}":${table.jsonOf(number)}`).join(',')}}`
  const isShared = (number: number) => (holders.get(number) ?? 0) > 1
  return {
    shared: compress(write([...holders.keys()].filter(isShared))),
    scenarios: drafts.map(({ head, reached }) => {
      if (head.hops.length === 0) return ''
      const own = [...reached].filter((number) => !isShared(number))
      return compress(`{"head":${JSON.stringify(head)},"values":${write(own)}}`)
    }),
  }
}
