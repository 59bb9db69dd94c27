// What the doctor found, as the daemon tells it.
import { z } from "zod";

export const doctorCheckSchema = z.object({
  id: z.string(),
  title: z.string(),
  took_ms: z.number(),
  /** Empty: all is well there. */
  troubles: z.array(
    z.object({
      what: z.string(),
      hint: z.string().nullable(),
      /** What a fix would do; null where only a person can fix it. */
      fix: z.string().nullable(),
      /** Whether the check passed after the fix; null where no fix was tried. */
      fixed: z.boolean().nullable(),
      /** Why the fix failed. */
      failed: z.string().nullable(),
      /** True where nothing is wrong, but a person may wonder. */
      note: z.boolean().optional(),
      /** True where the check did not answer in time: whether all is well there is unknown. */
      unanswered: z.boolean().optional(),
    }),
  ),
});

export const doctorSchema = z.object({
  /** Nothing was found, or everything that was found is fixed. */
  healthy: z.boolean(),
  took_ms: z.number(),
  checks: z.array(doctorCheckSchema),
  /** What each part of PAWL_HOME takes on the disk, the largest first. */
  sizes: z.array(z.object({ part: z.string(), bytes: z.number() })).optional(),
  /** What PAWL_HOME may take (`[home] max_gb` in factory.toml); null where there is no bound. */
  max_bytes: z.number().nullable().optional(),
});

export type DoctorCheckView = z.infer<typeof doctorCheckSchema>;
export type DoctorView = z.infer<typeof doctorSchema>;
