import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import {
  GenericContainer,
  getContainerRuntimeClient,
  type StartedTestContainer,
  Wait,
} from 'testcontainers'
import { zTestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { listPorts } from '#testbed/process/ports.ts'
import { findFreePortBase } from './find-free-port-base.ts'
import { StartedTestbedContainer } from './started-testbed-container.ts'

type EnvironmentName = 'pre' | 'pro'

const folder = dirname(import.meta.dirname)
/** The npm package's folder, or the repository: the context in which the image is built. */
const context = basename(folder) === 'dist' ? dirname(folder) : folder

function readVersion(): string {
  return JSON.parse(readFileSync(join(context, 'package.json'), 'utf8')).version
}

/**
 * A whole testbed in one container. Every address in its QR codes, links and metadata must work both
 * inside and outside. So its ports are chosen before it starts and bound one to one, and its public
 * address is the host name that this process uses for containers.
 */
export class TestbedContainer extends GenericContainer {
  #environments: readonly EnvironmentName[] = ['pre']
  #portBase: number | undefined
  #publicHost: string | undefined
  #options: readonly string[] = []
  #ports: readonly { readonly container: number; readonly host: number }[] = []

  /** `image` is by default the one that `TestbedContainer.build()` creates: no image is published. */
  constructor(image = TestbedContainer.imageName) {
    super(image)
    this.withStartupTimeout(60_000)
      .withHealthCheck({
        test: ['CMD', 'node', '/opt/lear-testbed/dist/containers/health-check.js'],
        interval: 500,
        timeout: 5000,
        startPeriod: 60_000,
        retries: 10,
      })
      .withWaitStrategy(Wait.forHealthCheck())
  }

  /** Name and tag of the image of this version. */
  static get imageName(): string {
    return `lear-testbed:${readVersion()}`
  }

  /** Builds the image from this package, with the layer cache of earlier builds. */
  static async build(image = TestbedContainer.imageName): Promise<TestbedContainer> {
    const dockerfile = relative(context, join(import.meta.dirname, 'Dockerfile'))
    const builder = GenericContainer.fromDockerfile(context, dockerfile)
    await builder.build(image, { deleteOnExit: false })
    return new TestbedContainer(image)
  }

  /** Default: only `pre`. */
  withEnvironments(...environments: EnvironmentName[]): this {
    this.#environments = environments
    return this
  }

  /** First port, in the container and on the host. Default: free ports are searched. */
  withPortBase(portBase: number): this {
    this.#portBase = portBase
    return this
  }

  /** Seed of chain keys, DIDs and wallets. Default: random. */
  withSeed(seed: string): this {
    return this.withTestbedOptions('--seed', seed)
  }

  /** Host name for phones and other containers. Default: the host name of the container runtime. */
  withPublicHost(host: string): this {
    this.#publicHost = host
    return this
  }

  /** Further options of `testbed up`. */
  withTestbedOptions(...options: string[]): this {
    this.#options = [...this.#options, ...options]
    return this
  }

  /** Settles once every service is healthy. */
  override async start(): Promise<StartedTestbedContainer> {
    const portBase = this.#portBase ?? (await findFreePortBase(this.#environments))
    const { info } = this.#publicHost === undefined ? await getContainerRuntimeClient() : {}
    this.prepare(this.#publicHost ?? info?.containerRuntime.host ?? 'localhost', portBase)
    const started = await super.start()
    return new StartedTestbedContainer(started, await readTestbedFile(started))
  }

  /** Sets the command and the ports. */
  protected prepare(host: string, portBase: number): void {
    this.#forgetPorts()
    const ports = listPorts(portBase, this.#environments).map(({ port }) => port)
    this.#ports = ports.map((port) => ({ container: port, host: port }))
    this.withExposedPorts(...this.#ports)
    this.withCommand([
      ...['up', '--in-memory', '--data', '/data', '--bind', '0.0.0.0'],
      ...['--public-url', `http://${host.includes(':') ? `[${host}]` : host}`],
      ...['--allowed-hosts', ['testbed', ...this.networkAliases].join(',')],
      ...['--port-base', String(portBase), '--env', this.#environments.join(',')],
      ...this.#options,
    ])
  }

  /** Removes the ports of an earlier start, which may still be running: the next one has other ports. */
  #forgetPorts(): void {
    const former: ReadonlySet<unknown> = new Set(this.#ports)
    this.exposedPorts = this.exposedPorts.filter((port) => !former.has(port))
    for (const { container } of this.#ports) {
      delete this.createOpts.ExposedPorts?.[`${container}/tcp`]
      delete this.hostConfig.PortBindings?.[`${container}/tcp`]
    }
  }
}

async function readTestbedFile(started: StartedTestContainer) {
  const { exitCode, output } = await started.exec(['cat', '/data/testbed.json'])
  if (exitCode === 0) return zTestbedFile.parse(JSON.parse(output))
  throw new Error(`The container has no testbed.json: ${output}`)
}
