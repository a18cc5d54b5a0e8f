// The exchanges that the sequence diagram draws: their rows, their journeys, and which are shown.

/** Which exchanges a diagram shows. All members are optional; `matches` gets a line of the stream. */
export function fits(line, journey, { journey: wanted, part, status, after = 0, matches }) {
  if (line.id <= after) return false
  if (wanted !== undefined && journey?.id !== wanted) return false
  if (part && line.from !== part && line.to !== part) return false
  if (status === 'failing' && line.status < 400 && line.status !== 0 && line.broken === 0)
    return false
  if (status === 'redirect' && (line.status < 300 || line.status >= 400)) return false
  if (status === 'success' && (line.status >= 300 || line.status === 0)) return false
  return matches === undefined || matches(line, journey)
}

/** The recorded exchanges as rows, with their journeys; `follow` keeps it up to date. */
export function createExchanges() {
  let rows = []
  const rowById = new Map()
  const journeys = new Map()
  const joined = new Map()
  const journeyOf = (id) => {
    let found = id
    while (joined.has(found)) found = joined.get(found)
    return journeys.get(found)
  }
  return {
    journeys,
    journeyOf,
    rowOf: (id) => rowById.get(id),
    get rows() {
      return rows
    },
    clear() {
      rows = []
      for (const map of [rowById, journeys, joined]) map.clear()
    },
    /** Returns the rows that are new, each with the row that it precedes, if any. */
    add({ lines, journeys: named, absorbed }) {
      for (const [old, id] of absorbed) {
        joined.set(old, id)
        journeys.delete(old)
      }
      for (const journey of named) journeys.set(journey.id, journey)
      const added = []
      for (const line of lines) {
        const row = rowById.get(line.row)
        rowById.set(line.id, row ?? { id: line.id, lines: [] })
        const own = rowById.get(line.id)
        own.lines.push(line)
        own.version = own.lines.length
        if (row !== undefined) continue
        const next = rowById.get(line.before)
        const position = next === undefined ? -1 : rows.lastIndexOf(next)
        if (position === -1) rows.push(own)
        else rows.splice(position, 0, own)
        added.push({ row: own, next: position === -1 ? undefined : next })
      }
      return added
    },
  }
}
