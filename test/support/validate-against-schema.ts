import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/**
 * What ajv finds wrong with a value under a JSON Schema (2020-12); empty where nothing is. A schema
 * that is none throws.
 */
export function validateAgainstSchema(schema: object, value: unknown): readonly string[] {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictTuples: false })
  addFormats.default(ajv)
  const validate = ajv.compile(schema)
  validate(value)
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
  )
}

/** The `vc` claim of a credential, held against the schema that it names itself. */
export async function validateCredential(credential: unknown): Promise<readonly string[]> {
  const payload = String(credential).split('.')[1] ?? ''
  const { vc } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const response = await fetch(vc.credentialSchema.id)
  return validateAgainstSchema((await response.json()) as object, vc)
}
