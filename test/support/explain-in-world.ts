import type { TrustWorld } from '#conformance/world/create-trust-world.ts'
import { explain } from '#core/explanation/explain.ts'
import type { ExplainOptions, Explanation } from '#core/explanation/explanation.ts'

/** Everything of a trust world that an explanation can ask. */
export function trustOf({ sources, policy }: TrustWorld): NonNullable<ExplainOptions['trust']> {
  const { tirBaseUrl, rootDids, credentialIssuerUrls } = policy
  return { pre: { ...sources, tirBaseUrl, rootDids, credentialIssuerUrls } }
}

/** Explains a message by the registries of a trust world, at its time. */
export function explainInWorld(
  world: TrustWorld,
  message: unknown,
  options: Partial<ExplainOptions> = {},
): Promise<Explanation> {
  return explain(message, { now: world.now, trust: trustOf(world), ...options })
}

/** The rules with the given verdict, each once, also those of the parts. */
export function rulesWith(
  verdict: 'held' | 'broken' | 'not-checked',
  { rules, parts }: Explanation,
): readonly string[] {
  const own = rules.filter((rule) => rule.verdict === verdict).map(({ rule }) => rule)
  return [...new Set([...own, ...parts.flatMap((part) => rulesWith(verdict, part))])]
}
