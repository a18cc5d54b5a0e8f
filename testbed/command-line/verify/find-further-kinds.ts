import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readPublicKey } from '#conformance/kit/evidence/read-public-key.ts'
import { createSignedResultKind } from '#conformance/kit/evidence/signed-result-kind.ts'
import type { ExplainableKind } from '#core/explanation/explanation.ts'
import { readInput } from '../registries/read-input.ts'

export interface FurtherKindsOptions {
  /** The file that is explained, as the command was given it. */
  readonly file: string
  /** File with a public key to hold a signature against. */
  readonly key?: string | undefined
}

/**
 * What `testbed verify` explains beside the messages of the protocols. A kind that needs more than
 * core has is added here; it is looked for before the others.
 * @throws TestbedError `invalid_option` where there is a key that cannot be read
 */
export async function findFurtherKinds({
  file,
  key,
}: FurtherKindsOptions): Promise<readonly ExplainableKind[]> {
  const publicKey =
    key === undefined ? undefined : readPublicKey(await readInput(key, 'the public key of --key'))
  // A signed result lies beside the results that it is about, where both were handed over.
  const resultsJson =
    file === '-'
      ? undefined
      : await readFile(join(dirname(file), 'results.json')).catch(() => undefined)
  return [createSignedResultKind({ publicKey, resultsJson })]
}
