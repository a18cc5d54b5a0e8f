import { type OperatorKey, readOperatorKey } from '#conformance/kit/evidence/read-operator-key.ts'
import { readInput } from '../registries/read-input.ts'
import { wrongUsage } from '../registries/wrong-usage.ts'

/**
 * The key that `--sign` names, under the name that `--key-id` gives it; undefined without `--sign`.
 * @throws TestbedError `invalid_option` where it is no key; no error repeats it
 */
export async function readSigningKey({
  sign,
  keyId,
}: {
  readonly sign?: string
  readonly keyId?: string
}): Promise<OperatorKey | undefined> {
  if (sign !== undefined) return readOperatorKey(await readInput(sign, 'the key of --sign'), keyId)
  if (keyId !== undefined) throw wrongUsage('--key-id names a key: give it with --sign FILE.')
  return undefined
}
