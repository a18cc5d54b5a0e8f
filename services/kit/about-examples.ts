import { type DidEnvironment, didPrefixes } from '#core/did/did-org.ts'

/** Which DIDs a registry takes, and that the examples of its documentation are of pre-production. */
export function aboutExamples(environment: DidEnvironment): string {
  return `DIDs here begin with ${didPrefixes[environment]}; those of the examples with ${didPrefixes.pre}.`
}
