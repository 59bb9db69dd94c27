// The doctor: looks when it is asked to, because a look reads the whole disk, and fixes what it can.
import { useSignal } from "@preact/signals";
import type { DoctorView } from "../../api/doctor.ts";
import { CallError, get, post } from "../api.ts";

export function Doctor() {
  const found = useSignal<DoctorView | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const ask = (call: Promise<DoctorView>): void => {
    isBusy.value = true;
    trouble.value = undefined;
    const said = (error: unknown): void => {
      trouble.value = error instanceof CallError ? error.message : "the daemon does not answer";
    };
    call
      .then((view) => (found.value = view), said)
      .finally(() => (isBusy.value = false))
      .catch((error: unknown) => console.error(error));
  };
  const checks = found.value?.checks.filter(({ troubles }) => troubles.length > 0) ?? [];
  const canFix = checks.some(({ troubles }) =>
    troubles.some(({ fix, fixed }) => fix !== null && fixed !== true),
  );
  return (
    <section class="card part" aria-label="Doctor">
      <h2>
        Doctor{" "}
        {found.value !== undefined && (
          <span class={`chip ${found.value.healthy ? "good" : "bad"}`}>
            {found.value.healthy ? "healthy" : "not well"}
          </span>
        )}
      </h2>
      <div class="choices">
        <button type="button" disabled={isBusy} onClick={() => ask(get("/v1/doctor"))}>
          {isBusy.value ? "Looking…" : "Examine"}
        </button>
        {canFix && (
          <button type="button" disabled={isBusy} onClick={() => ask(post("/v1/doctor/fix", {}))}>
            Fix what can be fixed
          </button>
        )}
      </div>
      {trouble.value !== undefined && <p role="alert">{trouble.value}</p>}
      <Troubles checks={checks} />
    </section>
  );
}

const Troubles = ({ checks }: { checks: DoctorView["checks"] }) => (
  <ul class="facts">
    {checks.flatMap(({ id, title, troubles }) =>
      troubles.map(({ what, hint, fix, fixed, failed }) => (
        <li key={`${id} ${what}`}>
          <strong>{title}</strong>{" "}
          {fixed !== null && (
            <span class={`chip ${fixed ? "good" : "bad"}`}>{fixed ? "fixed" : "not fixed"}</span>
          )}
          <p>{what}</p>
          <p class="meta">{[fix, hint, failed].filter((text) => text !== null).join(" · ")}</p>
        </li>
      )),
    )}
  </ul>
);
