import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { environmentVariableOf, loadConfig } from '#kit/load-config.ts'

const schema = z.object({
  baseUrl: z.url(),
  metricNamespace: z.string().default('issuer'),
  qrExpirationTime: z.number().int().positive().default(300),
  apiKeys: z.array(z.string()).min(1),
})

describe('loadConfig', () => {
  it('reads variables, parses structured values as JSON, and fills in defaults', () => {
    const config = loadConfig(schema, {
      BASE_URL: 'http://127.0.0.1:1',
      QR_EXPIRATION_TIME: '60',
      API_KEYS: '["one","two"]',
      METRIC_NAMESPACE: '1234',
    })
    expect(config).toEqual({
      baseUrl: 'http://127.0.0.1:1',
      metricNamespace: '1234',
      qrExpirationTime: 60,
      apiKeys: ['one', 'two'],
    })
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('reports all problems together, by the names of the variables', () => {
    const load = () => loadConfig(schema, { BASE_URL: 'nowhere', QR_EXPIRATION_TIME: '-1' })
    expect(load).toThrow(/BASE_URL[\s\S]*QR_EXPIRATION_TIME[\s\S]*API_KEYS/)
  })

  it('uses the documented names of the variables', () => {
    expect(environmentVariableOf('metricNamespace')).toBe('METRIC_NAMESPACE')
    expect(environmentVariableOf('jwksUri')).toBe('JWKS_URI')
  })
})
