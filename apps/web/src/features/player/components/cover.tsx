import { cn } from '#shared/ui/cn.ts';
import { WaveformIllustration } from '#shared/ui/states.tsx';

interface Props {
  /** The image URL; without one a placeholder is shown. */
  src: string | undefined;
  /** The intrinsic width and height in pixels. */
  size: number;
  className?: string;
}

/** A square, decorative cover image. */
export const Cover = ({ src, size, className }: Props) =>
  src ? (
    <img
      src={src}
      alt=""
      width={size}
      height={size}
      decoding="async"
      className={cn('aspect-square bg-overlay object-cover', className)}
    />
  ) : (
    <span
      aria-hidden
      className={cn('grid aspect-square place-items-center overflow-hidden bg-overlay text-muted', className)}
    >
      <span className="w-3/5 [&_svg]:h-auto [&_svg]:w-full">
        <WaveformIllustration />
      </span>
    </span>
  );
