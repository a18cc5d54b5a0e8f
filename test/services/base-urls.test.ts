import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

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
