import type { EnvironmentContext } from './environment-context.ts'
import { readEnvironmentSecrets } from './environment-secrets.ts'
import { type ServicePart, serviceParts } from './environment-services.ts'

/** A context as plain data, for a service in a process of its own. It holds secrets. */
export interface ContextData
  extends Omit<EnvironmentContext, 'runtime' | 'secret' | 'databaseUrl'> {
  readonly secrets: Readonly<Record<string, string>>
  readonly databaseUrls: Readonly<Record<string, string>>
}

export function toContextData(context: EnvironmentContext): ContextData {
  const { runtime: _runtime, secret: _secret, databaseUrl, ...data } = context
  const urls = serviceParts.map((part: ServicePart) => [part, databaseUrl(part)])
  return {
    ...data,
    secrets: readEnvironmentSecrets(context),
    databaseUrls: Object.fromEntries(urls),
  }
}

/** The context that the data stands for. Throws a TypeError for a secret that was not handed over. */
export function fromContextData(
  { secrets, databaseUrls, ...data }: ContextData,
  runtime: EnvironmentContext['runtime'],
): EnvironmentContext {
  const find = (values: Readonly<Record<string, string>>) => (name: string) => {
    const value = values[name]
    if (value === undefined) throw new TypeError(`nobody has handed over "${name}"`)
    return value
  }
  return { ...data, runtime, secret: find(secrets), databaseUrl: find(databaseUrls) }
}
