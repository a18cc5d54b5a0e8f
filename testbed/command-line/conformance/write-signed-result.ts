import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OperatorKey } from '#conformance/kit/evidence/read-operator-key.ts'
import { signResult } from '#conformance/kit/evidence/sign-result.ts'

/**
 * Signs the `results.json` of a folder of reports into `result.jws` beside it, and gives its path.
 * Without a key it takes one away that an earlier run left there: it belongs to other results.
 */
export async function writeSignedResult(
  folder: string,
  { key, now }: { readonly key: OperatorKey | undefined; readonly now: number },
): Promise<string | undefined> {
  const path = join(folder, 'result.jws')
  await rm(path, { force: true })
  if (key === undefined) return undefined
  const resultsJson = await readFile(join(folder, 'results.json'))
  await writeFile(path, `${signResult({ resultsJson, key, now })}\n`)
  return path
}
