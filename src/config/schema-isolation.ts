// The section [isolation] of pawl.toml: the walls around sessions and around commands of a branch.
import * as z from "zod";
import { ISOLATION_MODES, NETWORKS } from "../core/config.ts";
import * as field from "./fields.ts";

export const isolation = z.strictObject({
  mode: z
    .enum(ISOLATION_MODES)
    .describe(
      "bwrap: agents, set-up commands, CI gates and formula commands run inside walls, in namespaces of their own (docs/security.md); if Pawl cannot create them, no agent starts. none: all of them run with all rights of your user. Default: without the section there are no walls.",
    ),
  network: z
    .enum(NETWORKS)
    .default("open")
    .describe(
      "open: as your user. hosts: agents reach only the hosts that are named; set-up commands, CI gates and formula commands reach nothing. none: nothing is reached, not even this machine.",
    ),
  hosts: z
    .array(field.host())
    .max(200)
    .default([])
    .describe('Hosts that may be reached with network = "hosts".'),
  read: z
    .array(field.place())
    .max(100)
    .default([])
    .describe("More files and folders that agents may read, e.g. a toolchain in your home."),
  write: z
    .array(field.place())
    .max(100)
    .default([])
    .describe("More files and folders that agents may change, e.g. a cache. Agents share them."),
  devices: z
    .array(field.place())
    .max(50)
    .default([])
    .describe("Device files that agents may use, e.g. /dev/kvm."),
  tmp_mb: field
    .count(1, 1_000_000)
    .default(2048)
    .describe("Megabytes of memory that the private /tmp and the private home may each take."),
  limits: z
    .strictObject({
      memory_mb: field
        .count(16, 100_000_000)
        .optional()
        .describe(
          "Megabytes of memory: for the whole session if systemd can enforce it, otherwise for each process.",
        ),
      processes: field
        .count(8, 1_000_000)
        .optional()
        .describe(
          "Processes and threads of one session or command. For root this needs systemd; otherwise nothing starts.",
        ),
      cpus: z
        .number()
        .min(0.1)
        .max(1000)
        .optional()
        .describe(
          "How many processors may be fully used. This needs systemd; without it nothing starts.",
        ),
      file_mb: field
        .count(1, 100_000_000)
        .optional()
        .describe("Megabytes of one file. No limit covers all files together."),
    })
    .optional()
    .describe("What a session, a set-up command or a CI gate may take at most (docs/security.md)."),
});
