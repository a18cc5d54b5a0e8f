import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D47',
  title: 'valid-at that is no number is refused with 400',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.8'],
  description:
    'A registry that ignores it answers with the present document, and the client takes it for the past one.',
  sends:
    'GET of a registered DID with valid-at of a word, a date, and a number with letters behind it.',
  decides: 'HTTP 400 for each of them.',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const { did } = await registry.register()
    const wrong = ['now', '2026-11-21T10:00:00Z', '12abc']
    const requests = wrong.map(
      (validAt) =>
        [
          `valid-at=${validAt}`,
          () =>
            registry.get(
              `identifiers/${encodeURIComponent(did)}?valid-at=${encodeURIComponent(validAt)}`,
            ),
        ] as const,
    )
    const control = () => registry.get(`identifiers/${encodeURIComponent(did)}?valid-at=${now()}`)
    return findEachRefused(Object.fromEntries(requests), { statuses: [400], control })
  },
})
