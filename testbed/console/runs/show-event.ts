import { type DrawnLink, drawLink } from '#conformance/targets/adapters/person/tasks.ts'
import type { RunEvent } from '#scenarios/harness/z-run-event.ts'
import type { NumberedEvent } from './run-board.ts'

/** An event for the page of a run: a task comes with its QR code. */
export type ShownEvent = RunEvent & { readonly code?: DrawnLink }

/** Draws the QR code of a task. */
export function showEvent(event: RunEvent): ShownEvent {
  if (event.kind !== 'question' || event.question === null) return event
  return event.question.verb === 'watch' ? event : { ...event, code: drawLink(event.question.link) }
}

/** The events that a page begins with; of the questions, only the last one still matters. */
export function showEvents(events: readonly NumberedEvent[]): readonly ShownEvent[] {
  const last = events.findLast(({ event }) => event.kind === 'question')
  return events
    .filter(({ event, number }) => event.kind !== 'question' || number === last?.number)
    .map(({ event }) => showEvent(event))
}
