import type { DidEnvironment } from '#core/did/did-org.ts'

/** Every part that listens once in a testbed, with the distance of its port from the base. */
const commonPorts = { console: 0, smtp: 25, mail: 26 } as const

/** Every part that listens once in each environment. */
const environmentPorts = {
  chain: 1,
  'did-registry': 2,
  tir: 3,
  'api-keys': 4,
  management: 5,
  connector: 6,
  issuer: 7,
  verifier: 8,
  idp: 9,
  'token-issuer': 10,
} as const

export type CommonPart = keyof typeof commonPorts
export type EnvironmentPart = keyof typeof environmentPorts
/** The services of an environment: all its parts except the chain. */
export type ServicePart = Exclude<EnvironmentPart, 'chain'>

export const serviceParts = Object.keys(environmentPorts).filter(
  (part): part is ServicePart => part !== 'chain',
)

const environmentOffset: Readonly<Record<DidEnvironment, number>> = { pre: 0, pro: 30 }

/** Ports from 1024 that `fetch` blocks (WHATWG Fetch, port blocking). */
const blockedPorts: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080,
])

/** Whether browsers and `fetch` accept the port. */
export function isPortUsable(port: number): boolean {
  return !blockedPorts.has(port)
}

/** The port at a distance from the base: 0 (any free port) for base 0; skips blocked ports. */
function portAt(base: number, distance: number): number {
  if (base === 0) return 0
  let port = base + distance
  // Away from the other ports of both environments.
  while (!isPortUsable(port)) port += 50
  return port
}

export function portOfPart(base: number, part: CommonPart): number {
  return portAt(base, commonPorts[part])
}

export function portOfEnvironmentPart(
  base: number,
  environment: DidEnvironment,
  part: EnvironmentPart,
): number {
  return portAt(base, environmentPorts[part] + environmentOffset[environment])
}

/** Every port that a testbed with these environments needs, and its purpose. */
export function listPorts(
  base: number,
  environments: readonly DidEnvironment[],
): { readonly port: number; readonly part: string }[] {
  const common = Object.keys(commonPorts) as CommonPart[]
  const parts = Object.keys(environmentPorts) as EnvironmentPart[]
  return [
    ...common.map((part) => ({ port: portOfPart(base, part), part: `the ${part}` })),
    ...environments.flatMap((environment) =>
      parts.map((part) => ({
        port: portOfEnvironmentPart(base, environment, part),
        part: `the ${environment} ${part}`,
      })),
    ),
  ]
}
