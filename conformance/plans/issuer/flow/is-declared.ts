import type { IssuerContext } from '../issuer-context.ts'
import { readMetadata } from './read-metadata.ts'

/** Whether an entry of the metadata declares this name in one of its lists. */
export async function isDeclared(
  context: IssuerContext,
  list: 'cryptographic_suites_supported' | 'cryptographic_binding_methods_supported',
  name: string,
): Promise<boolean> {
  const { credentials_supported: entries } = await readMetadata(context)
  return [entries].flat().some((entry) => {
    const names = (entry as Readonly<Record<string, unknown>> | null | undefined)?.[list]
    return Array.isArray(names) && names.includes(name)
  })
}
