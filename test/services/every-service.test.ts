import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { root } from '#test/support/repository.ts'

const services = resolve(import.meta.dirname, '../../services')

/** Each service's configuration schema, from its `config.ts`. */
const schemas = await Promise.all(
  globSync('*/config.ts', { cwd: services }).map(async (file): Promise<[string, z.ZodObject]> => {
    const exported: Record<string, unknown> = await import(resolve(services, file))
    const schema = Object.entries(exported).find(([name]) => /^z\w+Config$/.test(name))?.[1]
    if (!(schema instanceof z.ZodObject)) throw new Error(`${file} exports no configuration schema`)
    return [file, schema]
  }),
)

describe('the public address of a service', () => {
  // It appears in `iss`, links and termsOfUse.id, which clients compare character by character.
  it.each(schemas)('has no trailing slash, even if configured with one: %s', (_file, schema) => {
    const { baseUrl } = schema.shape
    expect(z.safeParse(baseUrl as z.ZodType, 'https://example.org/pre/')).toMatchObject({
      data: 'https://example.org/pre',
    })
    expect(z.safeParse(baseUrl as z.ZodType, 'javascript:alert(1)').success).toBe(false)
  })
})

/** Names of secrets, also as the end of a name: `clientSecret`, `row.csrf_token`. */
const secret = /(secret|password|passwordHash|api_?key|csrf|cookie|token|ticket)$/i

const comparisons = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]

/** Comparisons of values named like a secret that stop at the first difference. */
function findPlainComparisons(file: string): string[] {
  const text = readFileSync(resolve(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && comparisons.includes(node.operatorToken.kind)) {
      const sides = [node.left.getText(), node.right.getText()]
      const isKnown = sides.some((side) => /^(undefined|null|true|false|\d.*|['"`].*)$/.test(side))
      if (!isKnown && sides.some((side) => secret.test(side))) {
        found.push(`${file}: ${sides.join(' = ')}`)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

describe('secrets', () => {
  it('are compared in constant time: secretsEqual, scrypt, or a look-up of their digest', () => {
    const files = globSync('services/{idp,token-issuer,verifier,kit,api-keys}/**/*.ts', {
      cwd: root,
    })
    expect(files.length).toBeGreaterThan(100)
    expect(files.flatMap(findPlainComparisons).toSorted()).toEqual([
      // Both come in the same form, from the person who chooses the password.
      'services/idp/admin/account.ts: password = repeated',
    ])
  })
})
