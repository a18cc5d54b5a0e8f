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
  // It stands in `iss`, in links and in termsOfUse.id, which others compare letter by letter.
  it.each(schemas)('has no slash at its end, however it was configured: %s', (_file, schema) => {
    const { baseUrl } = schema.shape
    expect(z.safeParse(baseUrl as z.ZodType, 'https://example.org/pre/')).toMatchObject({
      data: 'https://example.org/pre',
    })
    expect(z.safeParse(baseUrl as z.ZodType, 'javascript:alert(1)').success).toBe(false)
  })
})
