import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Dependencies } from '../../dependencies.ts'
import { readScopes } from './read-scopes.ts'

/**
 * The scope that a page's address names, with its mappers.
 *
 * @throws TestbedError `not_found`
 */
export async function findScope(
  dependencies: Dependencies,
  { scope = '' }: Readonly<Record<string, string>>,
): Promise<{ readonly scope: string; readonly text: string }> {
  const text = (await readScopes(dependencies)).get(scope)
  if (text !== undefined) return { scope, text }
  throw new TestbedError({ code: 'not_found', status: 404, message: 'There is no such scope.' })
}
