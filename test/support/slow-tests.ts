import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds that the slow test files take on two processors; each of the others takes about two. */
export const slowTests: Readonly<Record<string, number>> = {
  'test/conformance/plans/mutants.full.test.ts': 364,
  'test/package/install.full.test.ts': 90,
  'test/package/package.full.test.ts': 80,
  'test/scenarios/suites.test.ts': 78,
  'test/conformance/plans/registry-verdicts.full.test.ts': 30,
  'test/contracts/solidity.test.ts': 20,
  'test/testbed/start-testbed.test.ts': 20,
  'test/scenarios/reports/create-page.test.ts': 16,
  'test/conformance/plans/issuer/issuer-plan.test.ts': 11,
  'test/contracts/did-registry-methods.test.ts': 6,
  'test/conformance/plans/verifier/verifier-plan.test.ts': 9,
  'test/conformance/plans/wallet/wallet-plan.test.ts': 9,
  'test/testbed/console/exchanges/exchanges.test.ts': 9,
  'test/testbed/console/runs/runs.test.ts': 9,
  'test/wallet-emulator/qr/read-qr-image.full.test.ts': 9,
  'test/conformance/targets/adapters/call-verb.test.ts': 8,
  'test/services/idp/failures.test.ts': 8,
  'test/testbed/console/explain.test.ts': 8,
  'test/testbed/console/inbox/inbox.test.ts': 8,
  'test/wallet-emulator/faults/deviating-wallet.test.ts': 8,
  'test/services/did-registry/hostile-requests.test.ts': 7,
  'test/testbed/command-line/commands/up.test.ts': 7,
  'test/testbed/console/console.test.ts': 7,
  'test/testbed/console/controls/controls.test.ts': 7,
  'test/services/issuer/hostile-requests.test.ts': 6,
  'test/services/issuer/representative.test.ts': 6,
  'test/testbed/chain/journal.test.ts': 6,
  'test/testbed/chain/public-access.test.ts': 6,
  'test/testbed/console/frame/early.test.ts': 6,
  'test/testbed/console/frame/notice.test.ts': 6,
  'test/testbed/console/portal.test.ts': 6,
  'test/testbed/registries/seed-trust-chain.test.ts': 6,
  'test/testbed/services/holders.test.ts': 6,
  'test/testbed/services/service-settings.test.ts': 6,
}

/**
 * Begins with the longest files: if a long file comes last, every other processor waits for it. A
 * fresh clone has no records of earlier runs.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification) =>
      slowTests[relative(process.cwd(), moduleId).replaceAll('\\', '/')] ?? 0
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => seconds(other) - seconds(one))
  }
}
