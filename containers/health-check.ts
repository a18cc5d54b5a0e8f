/** The image's HEALTHCHECK: exits with code 0 once every service is healthy and while the console answers. */
import { readFileSync } from 'node:fs'

const [path = '/data/testbed.json'] = process.argv.slice(2)
try {
  // The file exists once every service is healthy. The public address may be unreachable from inside.
  const { consoleUrl } = JSON.parse(readFileSync(path, 'utf8'))
  const { port } = new URL(consoleUrl)
  const { status } = await fetch(`http://127.0.0.1:${port}/health`)
  process.exitCode = status === 200 ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
