async function inflate(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (character) =>
    character.charCodeAt(0),
  )
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).json()
}

let shared

/** Hops of a scenario, with what looks a numbered value up: its own, or one of several scenarios. */
export async function readScenario(id) {
  shared ??= inflate('shared-values')
  const [common, { head, values }] = await Promise.all([shared, inflate(`data-${id}`)])
  return { ...head, lookUp: (number) => values[number] ?? common[number] }
}
