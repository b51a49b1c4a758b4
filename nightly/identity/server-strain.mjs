// Loaded before the server (`--import`): says how late its event loop was and how much memory it took between two
// signals SIGUSR2 (security.md AN-12). What starting and stopping cost is not asked.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 5 })
let began = null

process.on('SIGUSR2', () => {
  if (began === null) {
    began = { rssBytes: process.memoryUsage.rss(), mostBytes: 0 }
    setInterval(() => (began.mostBytes = Math.max(began.mostBytes, process.memoryUsage.rss())), 20).unref()
    delay.enable()
    return
  }
  delay.disable()
  const strain = {
    lagMs: delay.percentile(99) / 1e6,
    grownBytes: Math.max(0, began.mostBytes - began.rssBytes),
  }
  writeFileSync(process.env.SERVER_STRAIN_FILE, JSON.stringify(strain))
})
