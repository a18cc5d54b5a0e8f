import { isDeepStrictEqual } from 'node:util'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineCheck, held } from '../../../kit/check.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import type { IdpContext } from '../context.ts'
import { readClaims } from '../read-claims.ts'

export const check = defineCheck<IdpContext>({
  id: 'O10',
  title: 'The claim power is a string that holds the serialized list',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/idp-id-token-claims.2'],
  description:
    'Token issuers map claims of one value; a list is dropped or split by them, and with it what a person may do.',
  sends: 'A whole login.',
  decides:
    'The id_token (or userinfo) has power as a text that holds every value of the powers of the credential. Another serialization than JSON is a warning, as the documents name none.',
  async run(context) {
    const { power } = await readClaims(context)
    expectTrue('power is a string', typeof power === 'string', power)
    const text = String(power)
    const lost = valuesOf(mandate.power).filter((value) => !text.includes(value))
    expectEqual('what power lacks of the credential', lost, [])
    return isDeepStrictEqual(parseJson(text), mandate.power)
      ? held('power is the serialized list.')
      : broken('power is not the list of powers as JSON.', { actual: text, level: 'practice' })
  },
})

/** Every text somewhere in a value. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
