import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds that the slow test files take on two processors; each of the others takes about two. */
export const slowTests: Readonly<Record<string, number>> = {
  'test/package/install.full.test.ts': 90,
  'test/package/package.full.test.ts': 80,
  'test/scenarios/suites.test.ts': 60,
  'test/contracts/solidity.test.ts': 25,
  'test/testbed/start-testbed.test.ts': 18,
  'test/conformance/plans/wallet/wallet-plan.test.ts': 16,
  'test/conformance/plans/registries.test.ts': 13,
  'test/wallet-emulator/qr/read-qr-code.test.ts': 12,
  'test/scenarios/reports/create-page.test.ts': 11,
  'test/testbed/command-line/commands/run.test.ts': 8,
  'test/contracts/did-registry-methods.test.ts': 7,
  'test/services/did-registry/hostile-requests.test.ts': 7,
  'test/services/idp/failures.test.ts': 7,
  'test/wallet-emulator/wallet.test.ts': 7,
  'test/services/issuer/representative.test.ts': 6,
  'test/testbed/chain/journal.test.ts': 6,
  'test/testbed/services/defects/defective-credentials.test.ts': 6,
  'test/wallet-emulator/faults/deviating-wallet.test.ts': 6,
  'test/services/discovery.test.ts': 5,
  'test/testbed/chain/public-access.test.ts': 5,
  'test/testbed/registries/write-registries.test.ts': 5,
  'test/testbed/services/holders.test.ts': 5,
  'test/conformance/targets/adapters/call-verb.test.ts': 4,
  'test/services/idp/admin/login.test.ts': 4,
  'test/services/kit/authentication.test.ts': 4,
  'test/services/kit/run-service.test.ts': 4,
  'test/services/token-issuer/local-login.test.ts': 4,
  'test/testbed/command-line/workers/run-in-workers.test.ts': 4,
  'test/testbed/console/console.test.ts': 4,
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
