import { type DidEnvironment, didPrefixes } from '#core/did/did-org.ts'

/** Which DIDs a registry takes, and where they are others than those of the examples, which those have. */
export function aboutExamples(environment: DidEnvironment): string {
  const own = `DIDs here begin with ${didPrefixes[environment]}`
  return environment === 'pre'
    ? `${own}.`
    : `${own}; those of the examples with ${didPrefixes.pre}.`
}
