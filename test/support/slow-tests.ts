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
  'test/conformance/plans/idp/idp-plan.test.ts': 17,
  'test/testbed/start-testbed.test.ts': 17,
  'test/conformance/plans/wallet/wallet-plan.test.ts': 15,
  'test/services/idp/admin/login.test.ts': 13,
  'test/docs/docs.test.ts': 11,
  'test/testbed/console/tour.test.ts': 11,
  'test/testbed/refused-starts.test.ts': 11,
  'test/conformance/plans/issuer/issuer-plan.test.ts': 10,
  'test/conformance/plans/verifier/verifier-plan.test.ts': 10,
  'test/services/idp/login.test.ts': 10,
  'test/services/kit/authentication.test.ts': 10,
  'test/services/tir/hostile-requests.test.ts': 10,
  'test/testbed/command-line/commands/up.test.ts': 10,
  'test/wallet-emulator/faults/deviating-wallet.test.ts': 9,
  'test/wallet-emulator/qr/read-qr-image.full.test.ts': 9,
  'test/scenarios/reports/create-page.test.ts': 8,
  'test/services/idp/pages.test.ts': 8,
  'test/testbed/services/defects/defective-credentials.test.ts': 8,
  'test/testbed/chain/public-access.test.ts': 7,
  'test/testbed/console/wallets.test.ts': 7,
  'test/services/verifier/hostile-presentations.test.ts': 6,
  'test/testbed/console/frame/notice.test.ts': 6,
  'test/testbed/console/portal.test.ts': 6,
  'test/testbed/services/credential-types.test.ts': 6,
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
